#pragma once

#include <ferry/capture/call_observer.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/forward_parameters.hpp>
#include <ferry/core/type_name.hpp>
#include <ferry/dynamo/bind.hpp>
#include <ferry/dynamo/model_adapter.hpp>
#include <ferry/dynamo/state_guard.hpp>
#include <ferry/tree/flatten.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>

#include <torch/nn/module.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ferry {

class AnyModel;

namespace detail {

/// What is asked of a model's type, as functions over a model of it.
struct ModelKind {
    std::string_view type;
    std::span<const std::string_view> parameters;
    Tree (*call)(void* model, const Inputs& inputs);
    std::optional<Tree> (*initial)(std::string_view parameter);
    std::optional<AnyModel> (*part)(void* model, std::string_view name);
    std::optional<Tree> (*static_cache)(void* model, std::int64_t batch, std::int64_t length);
    Inputs (*prepare_inputs)(void* model, Inputs inputs);
};

template <class Model>
[[nodiscard]] constexpr ModelKind make_model_kind();
template <class Model>
inline constexpr ModelKind model_kind = make_model_kind<Model>();

}  // namespace detail

/// A module of any type behind one type: what a checkpoint gives, and the parts that generation takes a model apart into. Exporters
/// take it as they take the module.
class AnyModel {
public:
    template <std::derived_from<torch::nn::Module> Model>
    AnyModel(const std::shared_ptr<Model>& model)
        : module_(model), model_(model.get()), kind_(&detail::model_kind<Model>) {}
    template <class Holder>
        requires std::derived_from<std::remove_cvref_t<decltype(*std::declval<const Holder&>().ptr())>,
                                   torch::nn::Module>
    AnyModel(const Holder& holder) : AnyModel(holder.ptr()) {}
    /// Of a model that lives elsewhere, as long as it does.
    template <std::derived_from<torch::nn::Module> Model>
    AnyModel(Model& model) : AnyModel(std::shared_ptr<Model>(std::shared_ptr<void>(), &model)) {}

    static constexpr bool tells_of_calls = true;  ///< to whoever observes

    /// Runs forward; its parameters go by their names.
    [[nodiscard]] Tree operator()(const Inputs& inputs) const {
        return capture::observed_call(
            dynamic_cast<const void*>(module_.get()), [&]() -> const Inputs& { return inputs; },
            [&] { return kind_->call(model_, inputs); });
    }

    [[nodiscard]] torch::nn::Module& operator*() const noexcept { return *module_; }
    [[nodiscard]] torch::nn::Module* operator->() const noexcept { return module_.get(); }
    /// For a module that holds this one.
    [[nodiscard]] const std::shared_ptr<torch::nn::Module>& module() const noexcept { return module_; }

    [[nodiscard]] std::string_view type() const noexcept { return kind_->type; }
    /// What forward's parameters are called; empty where the model does not say.
    [[nodiscard]] std::span<const std::string_view> parameters() const noexcept { return kind_->parameters; }
    [[nodiscard]] bool takes(std::string_view parameter) const { return algo::contains(parameters(), parameter); }
    /// What such a parameter is before anything was computed, such as an empty cache; none for tensors.
    [[nodiscard]] std::optional<Tree> initial(std::string_view parameter) const { return kind_->initial(parameter); }
    /// A cache with room for so many tokens, if the model has such.
    [[nodiscard]] std::optional<Tree> static_cache(std::int64_t batch, std::int64_t length) const {
        return kind_->static_cache(model_, batch, length);
    }
    /// What forward takes, of what a user has: what it may not compute itself, since data would steer it, such as positions that
    /// follow from the sizes of images. By the model's `Inputs prepare_inputs(Inputs) const`; without one, as given.
    [[nodiscard]] Inputs prepare_inputs(Inputs inputs) const {
        return kind_->prepare_inputs(model_, std::move(inputs));
    }
    /// A submodule in a role that generation knows, such as "encoder".
    [[nodiscard]] std::optional<AnyModel> part(std::string_view role) const { return kind_->part(model_, role); }

private:
    std::shared_ptr<torch::nn::Module> module_;
    void* model_;  // of its own type
    const detail::ModelKind* kind_;
};

namespace detail {

template <class Type>
[[nodiscard]] std::optional<Tree> initial_of() {
    if constexpr (!std::same_as<Type, at::Tensor> && !requires { Type(std::nullopt); } && std::is_class_v<Type> &&
                  std::default_initializable<Type> && flattenable<Type>)
        return tree::flatten(Type{});
    else
        return std::nullopt;
}

template <class Model>
[[nodiscard]] std::optional<Tree> initial_parameter(std::string_view parameter) {
    using Types = typename forward_types<decltype(&Model::forward)>::types;
    const std::span<const std::string_view> names = parameter_names<Model>();
    std::optional<Tree> made;
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        (void(Index < names.size() && names[Index] == parameter &&
              (made = initial_of<std::tuple_element_t<Index, Types>>(), true)),
         ...);
    }(std::make_index_sequence<std::tuple_size_v<Types>>{});
    return made;
}

/// The member of a model that has a role; see detail/model_parts.hpp.
template <class Model>
[[nodiscard]] std::optional<AnyModel> model_part(Model& model, std::string_view role);

template <class Model>
[[nodiscard]] constexpr ModelKind make_model_kind() {
    return {.type = type_name<Model>(),
            .parameters = parameter_names<Model>(),
            .call = [](void* model,
                       const Inputs& inputs) { return call_model<pytrees<>>(*static_cast<Model*>(model), inputs); },
            .initial = [](std::string_view parameter) { return initial_parameter<Model>(parameter); },
            .part = [](void* model, std::string_view role) { return model_part(*static_cast<Model*>(model), role); },
            .static_cache = [](void* model, std::int64_t batch, std::int64_t length) -> std::optional<Tree> {
                if constexpr (requires(Model& each) { each.static_cache(batch, length); })
                    return tree::flatten(static_cast<Model*>(model)->static_cache(batch, length));
                else
                    return std::nullopt;
            },
            .prepare_inputs = [](void* model, Inputs inputs) -> Inputs {
                if constexpr (requires(Model& each) { each.prepare_inputs(std::move(inputs)); })
                    return static_cast<Model*>(model)->prepare_inputs(std::move(inputs));
                else
                    return inputs;
            }};
}

}  // namespace detail

template <class Model>
    requires std::same_as<std::remove_cv_t<Model>, AnyModel>
struct model_adapter<Model> {
    using Guard = StateGuard<torch::nn::Module>;

    template <class Pytrees>
    [[nodiscard]] static Tree call(const AnyModel& model, const Inputs& inputs) {
        return model(inputs);
    }
    [[nodiscard]] static ModelState state(const AnyModel& model) { return state_of(*model); }
    [[nodiscard]] static Guard guard(const AnyModel& model) { return Guard(*model); }
    [[nodiscard]] static std::function<std::string()> running_module(const AnyModel&) { return {}; }
};

}  // namespace ferry

#include <ferry/models/detail/model_parts.hpp>
