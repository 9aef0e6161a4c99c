#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/dynamo/state_guard.hpp>

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// Stage 5, state clean-up, for members that are not registered: a pipeline with `stateful_members<&Model::cached>` has them in each
/// run as they were before the export, and so has the model afterwards.
namespace ferry {
namespace detail {

template <class Pointer>
struct member_parts;
template <class Class, class Type>
struct member_parts<Type Class::* const> {
    using owner = Class;
    using type = Type;
};

/// One member of all modules that have it, and what it was.
template <class Entry>
class SavedMember {
    using Owner = typename member_parts<decltype(Entry::pointer)>::owner;
    using Type = typename member_parts<decltype(Entry::pointer)>::type;

public:
    template <class Model>
    explicit SavedMember(Model& model) {
        if constexpr (is_module_tree<Model>) {
            save(dynamic_cast<Owner*>(&model));
            for (const auto& module : model.modules(/*include_self=*/false)) save(dynamic_cast<Owner*>(module.get()));
        } else if constexpr (std::is_base_of_v<Owner, std::remove_cv_t<Model>> && !std::is_const_v<Model>) {
            save(&model);
        }
    }
    void put_back() {
        for (auto& [owner, value] : saved_) owner->*Entry::pointer = value;
    }

private:
    void save(Owner* owner) {
        if (owner != nullptr) saved_.emplace_back(owner, owner->*Entry::pointer);
    }

    std::vector<std::pair<Owner*, Type>> saved_;
};

}  // namespace detail

template <class List>
class MemberGuard;

/// The model as its forward may change it beyond what is registered.
template <class... Entries>
class MemberGuard<stateful_member_list<Entries...>> {
public:
    template <class Model>
    explicit MemberGuard(Model& model) : members_(detail::SavedMember<Entries>(model)...) {}
    void put_back() {
        std::apply([](auto&... member) { (member.put_back(), ...); }, members_);
    }

private:
    std::tuple<detail::SavedMember<Entries>...> members_;
};

}  // namespace ferry
