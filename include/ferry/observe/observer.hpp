#pragma once

#include <ferry/capture/call_observer.hpp>
#include <ferry/capture/dim.hpp>
#include <ferry/observe/infer_dynamic_shapes.hpp>
#include <ferry/observe/observed_call.hpp>
#include <ferry/observe/signature.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry {

template <class Model>
class ObservedModel;

struct ObserveOptions {
    std::size_t store_n_calls = 3;  ///< and no more, since each keeps its tensors; of this scope alone
    std::size_t skip_n_calls = 0;   ///< so many first: of a model whose first call is a program of its own, say
};

/// Learns from calls of a model what to export it with:
///
///     ferry::InputObserver observer;
///     {
///         auto observed = observer(model);            // a scope: <ferry/observe/observed_model.hpp>
///         ferry::generate(model, prompt);             // calls of an AnyModel and of a ferry::submodule are seen wherever they are made
///         observed(ids, mask);                        // those of any other model are made through the scope
///     }
///     auto program = ferry::DynamoExporter{}.export_model(model, observer);
///
/// It does what torch.onnx.InputObserver does in Python. Inputs go by names here: those of the parameters, or positions where there are
/// none. Numbers and texts are constants of the export, unless they are the parameter's default.
class InputObserver {
public:
    /// `value_if_missing`: what stands for an input in calls without it. It is never handed to the model; it is for inputs that never meet
    /// in one call, such as pixel values in the first call and a cache in the later ones.
    explicit InputObserver(Inputs value_if_missing = {}) : value_if_missing_(std::move(value_if_missing)) {}

    /// While the scope lives, calls of the model are kept; several scopes add up.
    template <class Model>
    [[nodiscard]] ObservedModel<Model> operator()(Model& model, ObserveOptions options = {});

    [[nodiscard]] std::size_t num_calls() const noexcept { return calls_.size(); }
    [[nodiscard]] const std::vector<ObservedCall>& calls() const noexcept { return calls_; }

    /// Of the model that is called; only the first counts.
    void set_signature(Signature signature);
    /// A call as it is kept: sorted, with what is missing, and with tensors of its own.
    [[nodiscard]] ObservedCall prepare(const Inputs& inputs) const;
    void add(ObservedCall call) { calls_.push_back(std::move(call)); }
    /// As if no call had had them.
    void remove_inputs(const std::vector<std::string>& names);

    [[nodiscard]] DynamicShapes infer_dynamic_shapes(const BatchedInputs& batched = {}) const;
    /// What to export with: the inputs of one of the calls, or of the first that has all, with something for those that it lacks.
    [[nodiscard]] Inputs infer_arguments(std::optional<std::size_t> call = {}) const;
    /// The same of inputs that no call had.
    [[nodiscard]] Inputs infer_arguments(const Inputs& given) const;

    /// A config with the shapes that were seen, unless it says something of shapes itself.
    template <class Config>
    [[nodiscard]] Config with_shapes(Config config) const {
        if (!config.dynamic && config.dynamic_shapes.empty()) config.dynamic_shapes = infer_dynamic_shapes();
        return config;
    }

private:
    Inputs value_if_missing_;
    std::optional<Signature> signature_;
    std::vector<ObservedCall> calls_;
};

namespace observe {

/// Keeps calls of one model for an observer.
class Scope final : public capture::CallObserver {
public:
    Scope(InputObserver& observer, const void* model, const ObserveOptions& options)
        : observer_(observer),
          model_(model),
          limit_(observer.num_calls() + options.store_n_calls),
          skips_(options.skip_n_calls),
          told_(*this) {}

    [[nodiscard]] bool wants(const void* model) const override {
        return model == model_ && observer_.num_calls() + running_.size() < limit_;
    }
    void called(const void* model, const Inputs& inputs) override;
    void returned(const void* model, const Tree& outputs) override;
    void failed(const void* model) noexcept override;

private:
    using Clock = std::chrono::steady_clock;
    struct Running {
        std::optional<ObservedCall> call{};  ///< none: it is not kept
        Clock::time_point start{};
    };

    InputObserver& observer_;
    const void* model_;
    std::size_t limit_;
    std::size_t skips_;
    std::vector<Running> running_;
    capture::CallObserverScope told_;
};

}  // namespace observe
}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/observe/observer-inl.hpp>
#endif
