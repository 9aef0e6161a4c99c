#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Stage 5, state clean-up: a model has the same parameters, buffers and submodules after a run as before it.
namespace ferry {
namespace detail {

/// torch::nn::Module without naming it.
template <class Model>
concept is_module_tree = requires(Model& model) {
    model.modules(false).begin()->get();
    model.named_parameters(false);
    model.named_buffers(false);
    model.children();
};

/// A module's own parameters where they are: named_parameters() makes copies, and a guard looks at every module after every run.
template <class Module>
struct OwnParameters : Module {
    [[nodiscard]] static const auto& of(const Module& module) { return module.*(&OwnParameters::parameters_); }
};

/// What a module has registered itself, without its children's.
template <class Module>
struct Registered {
    explicit Registered(const Module& module)
        : parameters(OwnParameters<Module>::of(module)),
          buffers(module.named_buffers(false)),
          children(module.children()) {}

    [[nodiscard]] bool is_of(const Module& module) const {
        return same(parameters, OwnParameters<Module>::of(module)) && same(buffers, module.named_buffers(false)) &&
               children == module.children();
    }

    decltype(std::declval<const Module&>().named_parameters(false)) parameters;
    decltype(std::declval<const Module&>().named_buffers(false)) buffers;
    decltype(std::declval<const Module&>().children()) children;

private:
    template <class Tensors>
    [[nodiscard]] static bool same(const Tensors& left, const Tensors& right) {
        if (left.size() != right.size()) return false;
        for (std::size_t i = 0; i < left.size(); ++i)
            if (!left[i].value().is_same(right[i].value()) || left[i].key() != right[i].key()) return false;
        return true;
    }
};

/// What a module and those below it had registered when this was made. One class for all models: of torch::nn::Module.
template <class Module>
class ModuleTreeGuard {
public:
    explicit ModuleTreeGuard(Module& root) {
        saved_.emplace_back(root);
        for (const auto& each : root.modules(false)) saved_.emplace_back(*each), kept_.push_back(each);
    }

    /// A registered tensor that was exchanged for another of the same kind counts as written to. To be called while a capture still runs,
    /// which then sees the write; put_back() comes next.
    void keep_changes() {
        find_changed();
        for (const Saved* each : changed_) {
            const Registered now(*each->module);
            write_exchanged(each->registered.parameters, now.parameters);
            write_exchanged(each->registered.buffers, now.buffers);
        }
        is_known_ = true;
    }

    /// Also what was registered since is gone. Tensors stay where they are in memory: a model may hold references to them.
    void put_back() {
        if (!std::exchange(is_known_, false)) find_changed();
        for (const Saved* each : changed_) *each->module = *each->before;
    }

private:
    using Registered = detail::Registered<Module>;

    struct Saved {
        explicit Saved(Module& saved)
            : module(&saved), before(std::make_unique<const Module>(saved)), registered(saved) {}

        Module* module;
        std::unique_ptr<const Module> before;
        Registered registered;
    };

    void find_changed() {
        changed_.clear();
        for (const Saved& each : saved_)
            if (!each.registered.is_of(*each.module)) changed_.push_back(&each);
    }
    template <class Items>
    static void write_exchanged(const Items& before, const Items& now) {
        for (const auto& item : before) {
            const at::Tensor* exchanged = now.find(item.key());
            const at::Tensor& place = item.value();
            if (exchanged == nullptr || exchanged->is_same(place) || !exchanged->defined() || !place.defined())
                continue;
            if (exchanged->sizes() == place.sizes() && exchanged->dtype() == place.dtype()) place.copy_(*exchanged);
        }
    }

    std::vector<Saved> saved_;
    std::vector<std::shared_ptr<Module>> kept_;
    std::vector<const Saved*> changed_;
    bool is_known_ = false;  // what has changed, since the last run
};

template <class Model>
using module_of = typename decltype(std::declval<Model&>().modules(false))::value_type::element_type;

}  // namespace detail

/// What a model had registered when this was made. Plain members are out of its sight.
template <class Model>
class StateGuard {
public:
    explicit StateGuard(Model&) {}
    void keep_changes() {}
    void put_back() {}
};

template <detail::is_module_tree Model>
class StateGuard<Model> : public detail::ModuleTreeGuard<detail::module_of<Model>> {
public:
    explicit StateGuard(Model& model) : detail::ModuleTreeGuard<detail::module_of<Model>>(model) {}
};

namespace detail {

/// The model itself, behind holders and pointers.
template <class Model>
[[nodiscard]] auto& innermost(Model& model) {
    if constexpr (!is_module_tree<Model> && std::is_class_v<Model> && requires {
                      requires std::is_class_v<std::remove_cvref_t<decltype(*model)>>;  // of a lambda it is a function
                  })
        return innermost(*model);
    else
        return model;
}

template <class Guard>
struct PutBack {
    Guard& guard;
    ~PutBack() { guard.put_back(); }
};
template <class Guard>
PutBack(Guard&) -> PutBack<Guard>;  // clang++ deduces nothing for aggregates before 17

}  // namespace detail
}  // namespace ferry
