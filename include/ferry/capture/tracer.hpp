#pragma once

#include <ferry/capture/autocast.hpp>
#include <ferry/capture/boxed_tensors.hpp>
#include <ferry/capture/dispatch.hpp>
#include <ferry/capture/forward_errors.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/tracer/answer.hpp>
#include <ferry/capture/tracer/constants.hpp>
#include <ferry/capture/tracer/equality.hpp>
#include <ferry/capture/tracer/record_call.hpp>
#include <ferry/capture/tracer/record_write.hpp>
#include <ferry/capture/tracer/recording.hpp>
#include <ferry/capture/tracer/resize.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/ivalue.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Records one run of a model: every op that its code calls, on fake tensors, without mutation.
class Tracer final : public OpHandler {
public:
    Tracer(OpInfos& infos, RunSettings settings)
        : OpHandler([](OpHandler& self, const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                       torch::jit::Stack* stack) { static_cast<Tracer&>(self).take(op, keys, stack); }),
          recording_(infos, settings) {}

    /// A fake tensor for the model to be called with.
    at::Tensor add_input(const at::Tensor& fake, c10::Device device);
    void add_output(const c10::IValue& leaf);
    /// Throws if the model was told something that may not be so: what it has done or thrown since means nothing.
    void require_settled() { settle_questions(recording_); }
    /// Throws what an op has thrown before if `thrown`, which came out of the model, only repeats it: an interpreter wraps it up.
    void rethrow_own(const std::exception& thrown) const;
    /// Where the model is.
    [[nodiscard]] ForwardPlace place() {
        const auto& ops = recording_.trace().ops;
        return {last_module_, ops.empty() ? std::string_view() : ops.back().name};
    }
    /// About so many will be recorded.
    void expect(std::size_t ops, std::size_t values) {
        recording_.trace().ops.reserve(ops);
        recording_.trace().values.reserve(values);
        recording_.records().reserve(values);
    }
    /// How many ops are recorded so far.
    [[nodiscard]] std::size_t steps() { return recording_.trace().ops.size(); }
    /// The finished trace; the tracer is of no use afterwards.
    [[nodiscard]] Trace finish();

    /// A call of a higher-order op; its results are like these tensors.
    [[nodiscard]] std::vector<at::Tensor> call_higher_order(std::string_view op, std::vector<Argument> arguments,
                                                            std::vector<std::shared_ptr<const Trace>> bodies,
                                                            std::span<const at::Tensor> like);
    /// A run inside this one, of a body: it is called with tensors like these.
    [[nodiscard]] Tracer nested() {
        const RunSettings& settings = recording_.settings();
        return {recording_.infos(),
                {.constants_stay_real = settings.constants_stay_real, .names = settings.names, .is_nested = true}};
    }
    [[nodiscard]] Value value_of(const at::Tensor& tensor) {
        const UntracedScope below;
        return recording_.current(recording_.record_of(tensor));
    }
    /// The program is to compare these numbers, which follow from sizes, when it runs.
    void add_check(std::int64_t a, std::string_view comparison, std::int64_t b, std::string_view why) {
        recording_.push({.name = size_check, .arguments = {a, b, std::string(comparison), std::string(why)}});
    }
    /// The program is to compute this number, which follows from sizes, when it runs.
    void add_real(std::string_view function, std::vector<Argument> arguments, double result, SymExpr meaning) {
        const Value value =
            recording_.new_value({.kind = ValueKind::sym_float, .real = result, .meaning = std::move(meaning)});
        recording_.trace().reals.push_back(value);
        recording_.push({.name = function, .arguments = std::move(arguments), .outputs = {{.values = {value}}}});
    }
    /// Where a tensor is when the program runs.
    [[nodiscard]] c10::Device device_of(const at::Tensor& tensor) const { return recording_.device_of(tensor); }

private:
    void take(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
        try {
            take_any(op, keys, stack);
        } catch (const Error&) {
            thrown_ = std::current_exception();
            throw;
        }
    }
    void take_any(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);
    void take_whole(OpInfo& info, torch::jit::Stack& stack);
    [[nodiscard]] std::string_view module_of(std::span<const c10::IValue> values);

    Recording recording_;
    std::string_view last_module_;  // of the last call whose module is known
    std::vector<const OpInfo*> patching_;
    std::exception_ptr thrown_;  // the last Error of an op
};

inline at::Tensor Tracer::add_input(const at::Tensor& fake, c10::Device device) {
    const Value value = recording_.new_value({.tensor = fake, .device = device});
    if (recording_.trace().inputs.empty()) recording_.set_model_device(device);
    recording_.trace().inputs.push_back(value);
    recording_.records()[recording_.add_record(fake, fake, value)].original = value;
    return fake;
}

inline void Tracer::add_output(const c10::IValue& leaf) {
    recording_.trace().outputs.push_back(
        to_argument(leaf, c10::TypeKind::AnyType, [&](const at::Tensor& tensor) { return value_of(tensor); }));
}

inline Trace Tracer::finish() {
    require_settled();
    Trace& trace = recording_.trace();
    for (const Record& record : recording_.records())
        if (record.original && record.parent == no_record && record.version > 0)
            trace.mutations.push_back({record.original, record.value});
    return std::move(trace);
}

inline void Tracer::rethrow_own(const std::exception& thrown) const {
    if (dynamic_cast<const Error*>(&thrown) != nullptr) throw;
    if (!thrown_) return;
    try {
        std::rethrow_exception(thrown_);
    } catch (const Error& own) {
        if (std::string_view(thrown.what()).find(own.message()) != std::string_view::npos) throw;
    }
}

inline std::string_view Tracer::module_of(std::span<const c10::IValue> values) {
    ModuleNames* const names = recording_.settings().names;
    if (names == nullptr) return {};
    return names->path_of([&](const auto& visit) {
        for (const c10::IValue& value : values) detail::for_each_tensor(value, visit);
    });
}

inline void Tracer::take_any(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    if (recording_.runner().in_parts()) return recording_.runner().run_part(op, keys, stack);
    if (is_in_autocast() &&
        call_under_autocast(op, *stack, [&](const at::Tensor& tensor) { return device_of(tensor); }))
        return;
    OpInfo& info = recording_.infos().of(op);
    if (info.patch != nullptr && !algo::contains(patching_, &info)) {
        struct Leave {
            std::vector<const OpInfo*>& patching;
            ~Leave() { patching.pop_back(); }
        };
        patching_.push_back(&info);
        const Leave leave{patching_};
        return info.patch(op, keys, stack);
    }
    const std::size_t count = op.schema().arguments().size();
    const std::string_view module = module_of(detail::last(*stack, count));
    recording_.set_module(module);
    if (!module.empty()) last_module_ = module;
    try {
        if (!info.is_composite || info.fake != nullptr) return take_whole(info, *stack);
        const torch::jit::Stack arguments(stack->end() - static_cast<std::ptrdiff_t>(count), stack->end());
        const std::size_t below = stack->size() - count;
        try {
            return take_whole(info, *stack);
        } catch (const NeedsParts&) {  // then what it consists of is recorded instead
            stack->resize(below);
            stack->insert(stack->end(), arguments.begin(), arguments.end());
        }
    } catch (const LeftBehind&) {
        throw;
    } catch (const Error& error) {
        if (!error.where().path.empty()) throw;
        ErrorDetails details{.hint = error.hint(), .where = error.where()};
        details.where.path = last_module_;
        if (details.where.op.empty()) details.where.op = info.name;
        throw Error(error.kind(), error.message(), std::move(details));
    } catch (const c10::Error& error) {
        throw Error(ErrorKind::invalid_input, error.what_without_backtrace(),
                    {.where = {.op = info.name, .path = std::string(last_module_)}});
    }
    op.callBoxedForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd, *stack);
}

inline void Tracer::take_whole(OpInfo& info, torch::jit::Stack& stack) {
    const UntracedScope below;
    const std::size_t count = info.op.schema().arguments().size();
    if (info.op_class != OpClass::equality_query && info.op_class != OpClass::shape_query)
        settle_questions(recording_, info, detail::last(stack, count));
    if (info.op_class == OpClass::value_query) recording_.count_question();
    if (!info.is_random && all_constant(recording_, info, detail::last(stack, count)))
        return compute_constant(recording_, info, stack);
    if (asks_for_numbers(info) && answer_from_constants(recording_, info, stack)) return;
    switch (info.op_class) {
        case OpClass::shape_query:
        case OpClass::check: return info.op.callBoxed(stack);
        case OpClass::value_query: return answer_value(recording_, info, stack);
        case OpClass::equality_query: return answer_equality(recording_, info, stack);
        case OpClass::memory:
            if (recording_.settings().constants_stay_real && !asks_for_meta(info, stack))
                return make_memory(recording_, info, stack);
            break;
        case OpClass::geometry: return change_geometry(recording_, info, stack);
        case OpClass::size: return resize(recording_, info, stack);
        case OpClass::nothing: {
            const c10::IValue self = detail::last(stack, count)[0];
            stack.resize(stack.size() - count);
            if (!info.op.schema().returns().empty()) stack.push_back(self);
            return;
        }
        case OpClass::ordinary: break;
    }
    if (!info.written.empty()) return record_write(recording_, info, stack);
    if (!record_hidden_write(recording_, info, stack)) record_call(recording_, info, stack);
}

inline std::vector<at::Tensor> Tracer::call_higher_order(std::string_view op, std::vector<Argument> arguments,
                                                         std::vector<std::shared_ptr<const Trace>> bodies,
                                                         std::span<const at::Tensor> like) {
    const UntracedScope below;
    TraceOp call{.name = op, .arguments = std::move(arguments), .subtraces = std::move(bodies)};
    std::vector<at::Tensor> results;
    results.reserve(like.size());
    for (const at::Tensor& each : like) {
        const at::Tensor result = fake_like(each);
        const Value value = recording_.new_value({.tensor = result, .device = device_of(each)});
        recording_.add_record(result, result, value);
        call.outputs.push_back({.values = {value}});
        results.push_back(result);
    }
    recording_.push(std::move(call));
    return results;
}

}  // namespace ferry::capture
