#pragma once

#include <ferry/capture/boxed_tensors.hpp>
#include <ferry/capture/dispatch.hpp>
#include <ferry/capture/emitter.hpp>
#include <ferry/capture/fake.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/tracer/known_values.hpp>
#include <ferry/capture/tracer/records.hpp>
#include <ferry/capture/tracer/run_fake.hpp>
#include <ferry/capture/tracer/run_settings.hpp>
#include <ferry/capture/tracer/value_sizes.hpp>
#include <ferry/capture/tracer/wrapped_number.hpp>
#include <ferry/capture/unbacked.hpp>
#include <ferry/capture/view_inverse.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/ivalue.hpp>
#include <ferry/graph/sym_affine.hpp>
#include <ferry/graph/sym_eval.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::capture {

/// The arguments of a call in terms of the trace.
struct CallArguments {
    struct Place {
        std::uint32_t record;
        std::uint32_t position;
    };
    std::vector<Argument> values{};
    std::vector<Place> tensors{};  ///< which tensors are where among them
    c10::Device device = c10::kCPU;
};

/// Whether two values are equal, as a model has asked: yes if they are the same one.
struct EqualityQuestion {
    Value self;
    Value other;
    [[nodiscard]] bool answer() const noexcept { return self == other; }
};

/// Of a model that remembers: no sizes are to blame.
struct LeftBehind : Error {
    LeftBehind()
        : Error(
              ErrorKind::unsupported, "forward uses a tensor that an earlier call has left behind in the model",
              {.hint =
                   "register it as a buffer, or name the member in ferry::stateful_members<&Model::member>: a capture "
                   "puts these back; or make it before the export"}) {}
};

/// A run on its way to a trace: the ops so far, and which value each of the model's tensors stands for at the moment. There is
/// no mutation in it: who reads a tensor that was written to, or a view of it, reads the result of the write.
class Recording final : public OpEmitter, private SizeSource {
public:
    Recording(OpInfos& infos, RunSettings settings)
        : OpEmitter(
              [](OpEmitter& self, std::string_view op, std::vector<Argument> arguments) {
                  return static_cast<Recording&>(self).emit_op(op, std::move(arguments));
              },
              trace_),
          SizeSource(
              [](SizeSource& self, ValueRange range) { return static_cast<Recording&>(self).fresh(range); },
              [](SizeSource& self, const at::Tensor& tensor) { return static_cast<Recording&>(self).count(tensor); }),
          infos_(infos),
          settings_(settings),
          runner_(infos) {}

    [[nodiscard]] Trace& trace() noexcept { return trace_; }
    [[nodiscard]] Records& records() noexcept { return records_; }
    [[nodiscard]] OpInfos& infos() noexcept { return infos_; }
    [[nodiscard]] const RunSettings& settings() const noexcept { return settings_; }
    [[nodiscard]] FakeRunner& runner() noexcept { return runner_; }
    /// Answered, but not settled yet.
    [[nodiscard]] std::vector<EqualityQuestion>& questions() noexcept { return questions_; }
    /// Of ops recorded from now on.
    void set_module(std::string_view path) noexcept { module_ = path; }
    void set_model_device(c10::Device device) noexcept { model_device_ = device; }
    [[nodiscard]] c10::Device model_device() const noexcept { return model_device_; }
    /// Where a tensor is when the program runs: a fake one itself says meta.
    [[nodiscard]] c10::Device device_of(const at::Tensor& tensor) const {
        if (!tensor.is_meta()) return tensor.device();
        std::uint32_t known = records_.find(tensor);
        if (known == no_record) known = records_.newest_of(tensor);
        return known != no_record && records_[known].value ? value(records_[known].value).device : model_device_;
    }
    /// Counts the calls of empty().
    [[nodiscard]] std::uint32_t next_memory() noexcept { return next_memory_++; }

    Value new_value(TraceValue value) {
        trace_.values.push_back(std::move(value));
        return {static_cast<std::uint32_t>(trace_.values.size() - 1)};
    }
    std::uint32_t add_record(const at::Tensor& held, const at::Tensor& fake, Value value) {
        if (settings_.fakes != nullptr && held.is_same(fake)) settings_.fakes->insert(fake.unsafeGetTensorImpl());
        return records_.add(held, fake, value);
    }
    /// A tensor never seen before is one that the model brought along.
    [[nodiscard]] std::uint32_t record_of(const at::Tensor& tensor);
    /// Whether it was made from nothing but numbers, so that its data is known.
    [[nodiscard]] bool is_constant(const at::Tensor& tensor);
    /// Something is about to be written there: the model's own tensors are not to be touched.
    void protect_state(const at::Tensor& tensor);
    /// What a tensor is now.
    [[nodiscard]] Value current(std::uint32_t record);
    /// From now on the tensor, and what it is a view of, is this.
    void write(std::uint32_t record, Value value);

    [[nodiscard]] CallArguments read_arguments(const OpInfo& info, std::span<const c10::IValue> values);
    void fake_arguments(const OpInfo& info, std::span<c10::IValue> values);
    void run(OpInfo& info, torch::jit::Stack& stack) {
        told_.clear();
        if (settings_.stated != nullptr) asked_ = {info.name, value_sizes(runner_, info, stack)};
        runner_.run(info, stack, *this);
    }
    /// Records a call as it is; where it comes from is filled in.
    void push(TraceOp op) {
        op.module = module_;
        op.told = std::exchange(told_, {});
        op.gradients = !began_with_gradients_ || c10::GradMode::is_enabled();
        trace_.ops.push_back(std::move(op));
    }
    /// Records a call that has run, and gives the values of its results.
    std::vector<Value> append(const OpInfo& info, CallArguments arguments, std::span<const c10::IValue> results);
    [[nodiscard]] std::uint32_t last_op() const { return static_cast<std::uint32_t>(trace_.ops.size() - 1); }

    std::int64_t fresh(ValueRange range) { return fresh(range, std::max<std::int64_t>(range.min, 2)); }
    /// To be called whenever the model asks for the value of a tensor, known or not.
    void count_question() noexcept { ++questions_asked_; }
    /// For the last question: an integer that depends on what is computed.
    [[nodiscard]] std::int64_t tell_value(const OpInfo& info);
    /// What is computed from constants alone; undefined where something else is behind it.
    [[nodiscard]] at::Tensor known_value(Value value) { return known_.of(value); }

private:
    std::vector<Value> emit_op(std::string_view op, std::vector<Argument> arguments);
    std::int64_t fresh(ValueRange range, std::int64_t usual);
    std::int64_t count(const at::Tensor& tensor);
    [[nodiscard]] std::optional<std::int64_t> told_size(const SymExpr& stated, ValueRange range);
    [[nodiscard]] std::string unused_name() { return "u" + std::to_string(settings_.stated->unused + unused_names_++); }
    [[nodiscard]] std::uint32_t take_number(const at::Tensor& tensor);
    [[nodiscard]] bool lift_number(Record& constant);
    void lift_constants(std::uint32_t one);
    void replay_view(std::uint32_t index);

    OpInfos& infos_;
    RunSettings settings_;
    FakeRunner runner_;
    Trace trace_;
    Records records_;
    KnownValues known_{trace_, settings_};
    std::size_t questions_asked_ = 0;
    std::unordered_map<std::uint32_t, std::int64_t> counts_;  // of elements that are not zero, by value
    std::vector<EqualityQuestion> questions_;
    struct {
        std::string_view op{};
        std::vector<ResultSize> sizes{};
    } asked_;  // the op that runs, and which of its sizes depend on values
    std::vector<ToldSize> told_;  // of that op
    std::size_t unused_names_ = 0;
    std::string_view module_;
    bool began_with_gradients_ = c10::GradMode::is_enabled();
    std::uint32_t next_memory_ = 0;
    c10::Device model_device_ = c10::kCPU;
};

inline std::uint32_t Recording::record_of(const at::Tensor& tensor) {
    if (const std::uint32_t known = records_.find(tensor); known != no_record) return known;
    if (const std::uint32_t same = records_.find_same(tensor); same != no_record) {
        records_.know_and_keep(tensor, same);
        return same;
    }
    if (const std::uint32_t number = take_number(tensor); number != no_record) return number;
    Fakes* const fakes = settings_.fakes;
    if (tensor.is_meta() && fakes != nullptr && fakes->count(tensor.unsafeGetTensorImpl()) != 0) throw LeftBehind();
    const at::Tensor fake = tensor.is_meta() ? tensor : fake_like(tensor);
    const std::uint32_t record = add_record(tensor, fake, new_value({.tensor = fake, .device = tensor.device()}));
    records_[record].original = records_[record].value;
    if (fakes != nullptr)
        fakes->erase(tensor.unsafeGetTensorImpl());  // a parameter on the meta device is its own fake, in every run
    // Memory that belongs to somebody else (from_blob) may be gone when forward has returned; the model's own state stays.
    const bool borrowed = tensor.has_storage() && !tensor.is_meta() &&
                          tensor.storage().data_ptr().get_context() == nullptr && tensor.nbytes() > 0 &&
                          (settings_.names == nullptr || !settings_.names->has(tensor));
    trace_.lifted.push_back({records_[record].value, borrowed ? tensor.clone() : tensor});
    return record;
}

/// See LooseNumbers.
inline std::uint32_t Recording::take_number(const at::Tensor& tensor) {
    if (settings_.numbers == nullptr || !tensor.defined() || tensor.dim() != 0 || !tensor.is_cpu() ||
        tensor.requires_grad() || is_wrapped_number(tensor))
        return no_record;
    if ((settings_.names != nullptr && settings_.names->has(tensor)) || !settings_.numbers->take(tensor))
        return no_record;
    const std::uint32_t number = records_.add(tensor, tensor, {});
    records_[number].constant = true;
    return number;
}

inline bool Recording::is_constant(const at::Tensor& tensor) {
    std::uint32_t found = records_.find(tensor);
    if (found == no_record) found = take_number(tensor);
    return found != no_record && records_[found].constant;
}

inline void Recording::protect_state(const at::Tensor& tensor) {
    if (settings_.numbers == nullptr || !tensor.defined() || tensor.dim() != 0) return;
    const std::uint32_t found = records_.find(tensor);
    if (found != no_record && !settings_.numbers->is_of_run(tensor)) return;
    settings_.numbers->keep(tensor);
    if (found != no_record) static_cast<void>(current(found));
}

/// As an op of the graph, since it may be another number at other sizes. False: it is none.
inline bool Recording::lift_number(Record& constant) {
    const at::Tensor tensor = constant.held;
    if (tensor.dim() != 0 || !tensor.is_cpu() || constant.memory != no_record) return false;
    Argument number;
    if (tensor.scalar_type() == at::kBool)
        number = tensor.item<bool>();
    else if (c10::isIntegralType(tensor.scalar_type(), /*includeBool=*/false))
        number = tensor.item<std::int64_t>();
    else if (tensor.is_floating_point())
        number = tensor.item<double>();
    else
        return false;
    const Value made =
        emit_op("aten::scalar_tensor", {number, to_dtype(tensor.scalar_type()), Argument(), to_device(c10::kCPU)})
            .at(0);
    constant.value = made;
    constant.fake = value(made).tensor;
    return true;
}

/// From here on values of the graph like any other: the constant, what it is a view of, and all other views of that.
inline void Recording::lift_constants(std::uint32_t one) {
    std::vector<std::uint32_t> family;
    const std::uint32_t newest = records_.newest_of(records_[one].held);
    for (std::uint32_t at = newest == no_record ? one : newest; at != no_record; at = records_[at].neighbour)
        if (!records_[at].value) family.push_back(at);
    for (std::size_t i = family.size(); i-- > 0;) {  // the oldest first: views come after what they are views of
        Record& constant = records_[family[i]];
        constant.constant = false;
        if (records_.constant_views().contains(family[i])) {
            replay_view(family[i]);
            continue;
        }
        if (settings_.numbers != nullptr && lift_number(constant)) {
            records_.know(constant.fake, family[i]);
            continue;
        }
        const at::Tensor tensor = constant.held;
        constant.fake = fake_like(tensor);
        records_.know(constant.fake, family[i]);
        constant.value = new_value({.tensor = constant.fake, .device = tensor.device()});
        trace_.lifted.push_back({constant.value, tensor, constant.memory});
    }
}

inline void Recording::replay_view(std::uint32_t index) {
    ConstantView view = std::move(records_.constant_views().at(index));
    const auto* storage = storage_of(records_[index].held);
    CallArguments arguments = read_arguments(*view.info, view.arguments);
    const auto base = algo::find_if(arguments.tensors, [&](const CallArguments::Place& each) {
        return storage_of(records_[each.record].held) == storage;
    });
    const CallArguments::Place parent = *base;
    fake_arguments(*view.info, view.arguments);
    run(*view.info, view.arguments);
    const Value made = append(*view.info, std::move(arguments), view.arguments).at(view.made_as);
    records_[index].value = made;
    records_[index].fake = value(made).tensor;
    if (records_[index].fake.sizes() != records_[index].held.sizes())
        throw Error(ErrorKind::unsupported, "forward changes the shape of a view of a constant in place",
                    {.hint = "use the op without the trailing underscore", .where = {.op = view.info->name}});
    records_.make_view(index, parent.record, last_op(), parent.position, view.made_as);
    records_.know(records_[index].fake, index);
}

inline Value Recording::current(std::uint32_t index) {
    if (!records_[index].value) lift_constants(index);
    const Record& record = records_[index];
    if (record.parent == no_record || record.seen == records_[record.root].version) return record.value;
    const Value base = current(record.parent);
    const TraceOp view = trace_.ops[record.made_by];
    std::vector<Argument> arguments = view.arguments;
    arguments[record.made_from] = base;
    const Value again = emit(view.name, std::move(arguments)).at(records_[index].made_as);
    records_[index].value = again;
    records_[index].seen = records_[records_[index].root].version;
    return again;
}

inline void Recording::write(std::uint32_t index, Value value) {
    std::vector<std::uint32_t> written{index};
    records_[index].value = value;
    while (records_[index].parent != no_record) {
        const Record child = records_[index];
        const Value base = current(child.parent);
        const TraceOp view = trace_.ops[child.made_by];
        const Value updated = invert_view({*this, view, child.made_as, base, child.value});
        records_[child.parent].value = updated;
        index = child.parent;
        written.push_back(index);
    }
    const std::uint32_t version = ++records_[index].version;
    for (const std::uint32_t each : written) records_[each].seen = version;
}

inline CallArguments Recording::read_arguments(const OpInfo& info, std::span<const c10::IValue> values) {
    CallArguments arguments;
    arguments.values.reserve(values.size());
    arguments.tensors.reserve(values.size());
    bool device_known = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (const auto number = wrapped_number(values[i])) {
            arguments.values.push_back(*number);
            continue;
        }
        arguments.values.push_back(to_argument(values[i], info.argument_kinds[i], [&](const at::Tensor& tensor) {
            const std::uint32_t record = record_of(tensor);
            const Value value = current(record);
            arguments.tensors.push_back({record, static_cast<std::uint32_t>(i)});
            if (!device_known && tensor.dim() > 0) arguments.device = this->value(value).device, device_known = true;
            return value;
        }));
    }
    if (info.device && values[*info.device].isDevice()) {
        arguments.device = values[*info.device].toDevice();
        if (arguments.device.is_meta())
            arguments.device = model_device_;  // x.options() of a fake tensor names where the fake is
        arguments.values[*info.device] = to_device(arguments.device);
    }
    return arguments;
}

inline void Recording::fake_arguments(const OpInfo& info, std::span<c10::IValue> values) {
    for (c10::IValue& value : values)
        value = detail::exchange_tensors(value, [&](const at::Tensor& tensor) {
            if (value.isTensor() && is_wrapped_number(tensor)) return fake_number(tensor);
            return tensor.defined() && !tensor.is_meta() ? records_[record_of(tensor)].fake : tensor;
        });
    if (info.device) values[*info.device] = c10::Device(c10::kMeta);
}

inline std::vector<Value> Recording::append(const OpInfo& info, CallArguments arguments,
                                            std::span<const c10::IValue> results) {
    TraceOp op{.name = info.name, .schema = &info.op.schema(), .arguments = std::move(arguments.values)};
    std::vector<Value> values;
    const auto add = [&](const at::Tensor& tensor) {
        const Value value = new_value({.tensor = tensor, .device = arguments.device});
        if (settings_.watch != nullptr && records_.find(tensor) == no_record) settings_.watch->add(tensor);
        values.push_back(value);
        op.outputs.back().values.push_back(value);
    };
    op.outputs.reserve(results.size());
    for (const c10::IValue& result : results) {
        op.outputs.push_back({.is_list = result.isList()});
        detail::for_each_tensor(result, add);
    }
    push(std::move(op));
    return values;
}

inline std::vector<Value> Recording::emit_op(std::string_view op, std::vector<Argument> arguments) {
    const auto found = find_op(op);
    if (!found) throw Error(ErrorKind::unsupported, "this libtorch has no such op", {.where = {.op = std::string(op)}});
    OpInfo& info = infos_.of(*found);
    const UntracedScope below;
    torch::jit::Stack stack;
    const auto& wanted = info.op.schema().arguments();
    stack.reserve(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (i < arguments.size() && !(arguments[i].is_none() && wanted[i].default_value()))
            stack.push_back(detail::exchange_tensors(
                to_ivalue(arguments[i], *wanted[i].real_type(),
                          [&](Value value) -> c10::IValue { return this->value(value).tensor; }),
                [](const at::Tensor& tensor) { return is_wrapped_number(tensor) ? fake_number(tensor) : tensor; }));
        else
            stack.push_back(wanted[i].default_value().value_or(c10::IValue()));
        if (i >= arguments.size())
            arguments.push_back(
                to_argument(stack.back(), info.argument_kinds[i], [](const at::Tensor&) { return Value(); }));
    }
    if (info.device) stack[*info.device] = c10::Device(c10::kMeta);
    CallArguments call{.values = std::move(arguments)};
    for (const Argument& argument : call.values)
        for_each_value(argument, [&](Value value) { call.device = this->value(value).device; });
    run(info, stack);
    return append(info, std::move(call), stack);
}

inline std::int64_t Recording::fresh(ValueRange range, std::int64_t usual) {
    if (settings_.is_nested)
        throw Error(ErrorKind::unsupported,
                    "inside a branch or body of control flow a size depends on the values of a tensor",
                    {.hint = "compute it outside and pass the result in"});
    if (settings_.stated != nullptr)
        if (const auto stated = settings_.stated->of(asked_.op, asked_.sizes))
            if (const auto told = told_size(*stated, range)) return *told;
    const std::size_t position = trace_.unbacked.size();
    trace_.unbacked.push_back(range);
    trace_.unbacked_names.push_back(settings_.stated != nullptr ? unused_name() : "u" + std::to_string(position));
    return position < settings_.unbacked.size() ? settings_.unbacked[position] : usual;
}

inline std::int64_t Recording::tell_value(const OpInfo& info) {
    has_told_values_ = true;
    if (settings_.has_asked != nullptr) *settings_.has_asked = true;
    asked_ = {info.name, {}};
    told_.clear();
    const std::size_t question = questions_asked_ - 1, known = trace_.unbacked.size();
    const std::int64_t told =
        fresh(ValueRange(), question < settings_.observed.size() ? settings_.observed[question] : 2);
    if (trace_.unbacked.size() > known) trace_.asked.push_back({known, trace_.ops.size()});
    return told;
}

/// What a size is that is stated; nothing if that is in terms of numbers that do not exist yet. One such number may come into
/// being with it.
inline std::optional<std::int64_t> Recording::told_size(const SymExpr& stated, ValueRange range) {
    const auto is_new = [&](const std::string& symbol) {
        return is_unbacked_name(symbol) && !algo::contains(trace_.unbacked_names, symbol);
    };
    const bool any_new = algo::any_of(free_symbols(stated), is_new);
    const auto affine = any_new ? as_affine(stated) : std::nullopt;
    if (any_new && !affine) return std::nullopt;
    if (affine) {
        trace_.unbacked.push_back(affine->least(range));
        trace_.unbacked_names.push_back(affine->symbol);
    }
    const std::int64_t number = evaluate(stated, *settings_.sizes);
    if (!affine || !stated.is_symbol()) told_.push_back({unused_name(), number});
    return number;
}

inline std::int64_t Recording::count(const at::Tensor& tensor) {
    const std::uint32_t known = records_.find(tensor);
    if (known == no_record) return fresh(ValueRange::at_least(0));
    const std::uint32_t value = current(known).index;
    const auto found = counts_.find(value);
    return found != counts_.end() ? found->second : counts_[value] = fresh(ValueRange::at_least(0));
}

}  // namespace ferry::capture
