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
    model.named_children();
};

template <class Module>
[[nodiscard]] bool same_state(const Module& a, const Module& b) {
    const auto same = [](const auto& left, const auto& right, auto&& identity) {
        if (left.size() != right.size()) return false;
        for (std::size_t i = 0; i < left.size(); ++i)
            if (left[i].key() != right[i].key() || identity(left[i].value()) != identity(right[i].value()))
                return false;
        return true;
    };
    const auto tensor = [](const at::Tensor& each) -> const void* { return each.unsafeGetTensorImpl(); };
    return same(a.named_parameters(false), b.named_parameters(false), tensor) &&
           same(a.named_buffers(false), b.named_buffers(false), tensor) &&
           same(a.named_children(), b.named_children(), [](const auto& child) -> const void* { return child.get(); });
}

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
class StateGuard<Model> {
    using Module = typename decltype(std::declval<Model&>().modules(false))::value_type::element_type;

public:
    explicit StateGuard(Model& model) {
        add(model);
        for (const auto& each : model.modules(false)) add(*each), kept_.push_back(each);
    }

    /// A registered tensor that was exchanged for another of the same kind counts as written to. To be called while a capture still runs,
    /// which then sees the write.
    void keep_changes() {
        for (const auto& [module, before] : saved_)
            for (const bool buffers : {false, true}) {
                const auto old = buffers ? before->named_buffers(false) : before->named_parameters(false);
                const auto now = buffers ? module->named_buffers(false) : module->named_parameters(false);
                for (const auto& item : old) {
                    const at::Tensor* exchanged = now.find(item.key());
                    const at::Tensor& place = item.value();
                    if (exchanged == nullptr || exchanged->is_same(place) || !exchanged->defined() || !place.defined())
                        continue;
                    if (exchanged->sizes() == place.sizes() && exchanged->dtype() == place.dtype())
                        place.copy_(*exchanged);
                }
            }
    }

    /// Also what was registered since is gone. Tensors stay where they are in memory: a model may hold references to them.
    void put_back() {
        for (const auto& [module, before] : saved_)
            if (!detail::same_state(*module, *before)) *module = *before;
    }

private:
    void add(Module& module) { saved_.emplace_back(&module, std::make_unique<Module>(module)); }

    std::vector<std::pair<Module*, std::unique_ptr<const Module>>> saved_;
    std::vector<std::shared_ptr<Module>> kept_;
};

namespace detail {

/// The model itself, behind holders and pointers.
template <class Model>
[[nodiscard]] auto& innermost(Model& model) {
    if constexpr (!is_module_tree<Model> && std::is_class_v<Model> && requires { *model; })
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
