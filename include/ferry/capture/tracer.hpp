#pragma once

#include <ferry/capture/dispatch.hpp>
#include <ferry/capture/emitter.hpp>
#include <ferry/capture/fake.hpp>
#include <ferry/capture/module_names.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/unbacked.hpp>
#include <ferry/capture/view_inverse.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/ivalue.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/flat_hash_map.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Records one run of a model, without mutation: an op that writes is recorded as the one that returns the result, and who
/// reads the written tensor later, or a view of it, reads that result.
class Tracer final : public OpHandler, public OpEmitter, private SizeSource {
public:
    /// `unbacked`: what to answer when the model asks a tensor for its value, in order.
    /// `constants_stay_real`: what empty() gives is filled in ways that no op shows; otherwise, by ops alone.
    /// `names`: what the model's parameters and modules are called.
    Tracer(OpInfos& infos, std::span<const std::int64_t> unbacked, bool constants_stay_real = true,
           ModuleNames* names = nullptr)
        : infos_(infos), unbacked_(unbacked), constants_stay_real_(constants_stay_real), names_(names) {}

    /// Addresses of the fake tensors of earlier runs. Nothing that the model had before the first of them has one of these.
    using Fakes = ska::flat_hash_set<const c10::TensorImpl*>;
    void remember_fakes(Fakes& fakes) { fakes_ = &fakes; }

    /// Which calls of empty(), counted from 0, are ops of the graph: those whose tensors are not the same in every run.
    void trace_memory(const std::set<std::uint32_t>& calls) { traced_memory_ = &calls; }

    /// A fake tensor for the model to be called with.
    at::Tensor add_input(const at::Tensor& fake, c10::Device device);
    void add_output(const c10::IValue& leaf);
    /// The finished trace; the tracer is of no use afterwards.
    [[nodiscard]] Trace finish();

    void handle(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) override;

    /// A call of a higher-order op; its results are like these tensors.
    [[nodiscard]] std::vector<at::Tensor> call_higher_order(std::string_view op, std::vector<Argument> arguments,
                                                            std::vector<std::shared_ptr<const Trace>> bodies,
                                                            std::span<const at::Tensor> like);
    /// A run inside this one, of a body: it is called with tensors like these.
    [[nodiscard]] Tracer nested() const {
        Tracer inner(infos_, {}, constants_stay_real_, names_);
        inner.is_nested_ = true;
        return inner;
    }
    [[nodiscard]] Value value_of(const at::Tensor& tensor) {
        const UntracedScope below;
        return current(record_of(tensor));
    }

    std::vector<Value> emit(std::string_view op, std::vector<Argument> arguments) override;
    [[nodiscard]] const TraceValue& value(Value value) const override { return trace_.values[value.index]; }

private:
    static constexpr std::uint32_t none = UINT32_MAX;

    /// A tensor that the model holds. Views know what they are a view of and how they were made from it, so that a write to
    /// one of a family reaches the others: up by inverting the views, down by making them again.
    struct Record {
        at::Tensor held;               // the model's own handle: keeps its address from being used again
        at::Tensor fake;               // what ops run on; the same unless the model's tensor has data
        Value value{};                 // as of version `seen` of the root
        std::uint32_t root = none;     // the first of the family
        std::uint32_t parent = none;   // what this is a view of
        std::uint32_t made_by = none;  // the view op in the trace,
        std::uint32_t made_from = 0;   // which of its arguments is the parent,
        std::uint32_t made_as = 0;     // and which of its outputs this is
        std::uint32_t version = 0;     // of a root: how often the family was written to
        std::uint32_t seen = 0;
        std::uint32_t neighbour = none;  // another record of the same storage
        Value original{};                // of a root that came from outside: what it was at first
        bool constant = false;  // made in forward from nothing but constants: its data is known, and stays real
        std::uint32_t memory = none;  // of a constant: the call of empty() that it comes from
    };
    /// How a view of a constant was made, for when the constant becomes a value of the graph.
    struct ConstantView {
        OpInfo* info;
        torch::jit::Stack arguments;
        std::uint32_t made_as;
    };

    Value new_value(TraceValue value) {
        trace_.values.push_back(std::move(value));
        return {static_cast<std::uint32_t>(trace_.values.size() - 1)};
    }
    std::uint32_t add_record(const at::Tensor& held, const at::Tensor& fake, Value value);
    std::uint32_t record_of(const at::Tensor& tensor);
    [[nodiscard]] std::uint32_t same_tensor(const at::Tensor& tensor) const;
    [[nodiscard]] bool all_constant(std::span<const c10::IValue> values) const;
    void compute(OpInfo& info, torch::jit::Stack& stack);
    void lift_constants(std::uint32_t one);
    void replay_view(std::uint32_t index);
    Value current(std::uint32_t record);
    void write(std::uint32_t record, Value value);
    void write_cast(std::uint32_t record, Value value, const OpInfo& by);

    void run(OpInfo& info, torch::jit::Stack& stack);
    void call(OpInfo& info, torch::jit::Stack& stack);
    void call_writing(OpInfo& info, torch::jit::Stack& stack);
    void change_geometry(OpInfo& info, torch::jit::Stack& stack);
    void answer_value(OpInfo& info, torch::jit::Stack& stack);
    void make_memory(OpInfo& info, torch::jit::Stack& stack);
    [[nodiscard]] static bool asks_for_meta(const OpInfo& info, torch::jit::Stack& stack);
    [[nodiscard]] std::optional<std::int64_t> known_number(Value value) const;
    bool call_with_hidden_write(OpInfo& info, torch::jit::Stack& stack);
    std::vector<Value> append(const OpInfo& info, std::vector<Argument> arguments,
                              std::span<const c10::IValue> results);
    void register_results(std::span<const c10::IValue> results, std::span<const Value> values);
    [[nodiscard]] std::vector<Argument> read_arguments(const OpInfo& info, std::span<const c10::IValue> values);
    void fake_arguments(const OpInfo& info, std::span<c10::IValue> values);

    struct NeedsParts : std::exception {
    };  // thrown when a composite op cannot be one node: it depends on values, or writes unseen
    void handle_whole(OpInfo& info, torch::jit::Stack& stack);
    void watch(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) const;
    void run_watched(const OpInfo& info, torch::jit::Stack& stack);
    std::int64_t fresh(ValueRange range) override;
    std::int64_t count(const at::Tensor& tensor) override;
    [[nodiscard]] std::string_view module_of(std::span<const c10::IValue> values);

    OpInfos& infos_;
    std::span<const std::int64_t> unbacked_;
    bool constants_stay_real_;
    ModuleNames* names_;
    Fakes* fakes_ = nullptr;
    bool is_nested_ = false;
    bool watching_ = false;
    std::string_view module_;  // of the running call
    std::string_view last_module_;  // of the last call whose module is known
    std::unordered_map<std::uint32_t, std::int64_t> counts_;  // of elements that are not zero, by value
    Trace trace_;
    std::vector<Record> records_;
    ska::flat_hash_map<const c10::TensorImpl*, std::uint32_t> index_;
    ska::flat_hash_map<const c10::StorageImpl*, std::uint32_t> newest_of_storage_;
    std::vector<at::Tensor> kept_;
    std::unordered_map<std::uint32_t, ConstantView> constant_views_;
    const std::set<std::uint32_t>* traced_memory_ = nullptr;
    std::uint32_t next_memory_ = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        argument_records_;  // of the running call: record, argument position
    std::vector<const OpInfo*> patching_;
    c10::Device call_device_ = c10::kCPU;
    c10::Device model_device_ = c10::kCPU;
};

namespace detail {

template <class Visit>
void for_each_tensor(const c10::IValue& value, Visit&& visit) {
    if (value.isTensor()) {
        if (value.toTensor().defined()) visit(value.toTensor());
    } else if (value.isTensorList()) {
        for (const at::Tensor& tensor : value.toTensorVector())
            if (tensor.defined()) visit(tensor);
    } else if (value.isOptionalTensorList()) {
        for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector())
            if (tensor && tensor->defined()) visit(*tensor);
    }
}

[[nodiscard]] inline const c10::StorageImpl* storage_of(const at::Tensor& tensor) {
    return tensor.has_storage() ? tensor.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl() : nullptr;
}

[[nodiscard]] inline std::span<c10::IValue> last(torch::jit::Stack& stack, std::size_t count) {
    return std::span(stack).last(count);
}

}  // namespace detail

inline std::uint32_t Tracer::add_record(const at::Tensor& held, const at::Tensor& fake, Value value) {
    const auto index = static_cast<std::uint32_t>(records_.size());
    records_.push_back({.held = held, .fake = fake, .value = value, .root = index});
    index_[held.unsafeGetTensorImpl()] = index;
    index_[fake.unsafeGetTensorImpl()] = index;
    if (fakes_ != nullptr && held.is_same(fake)) fakes_->insert(fake.unsafeGetTensorImpl());
    if (const auto* storage = detail::storage_of(fake)) {
        const auto [newest, is_first] = newest_of_storage_.emplace(storage, index);
        if (!is_first) records_[index].neighbour = std::exchange(newest->second, index);
    }
    return index;
}

/// libtorch sometimes hands the same tensor on in another wrapper (torch::tensor(), tensor.data()).
inline std::uint32_t Tracer::same_tensor(const at::Tensor& tensor) const {
    const auto newest = newest_of_storage_.find(detail::storage_of(tensor));
    for (std::uint32_t at = newest == newest_of_storage_.end() ? none : newest->second; at != none;
         at = records_[at].neighbour) {
        const at::Tensor& known = records_[at].fake;
        if (known.sizes() == tensor.sizes() && known.strides() == tensor.strides() && known.dtype() == tensor.dtype() &&
            known.storage_offset() == tensor.storage_offset())
            return at;
    }
    return none;
}

inline at::Tensor Tracer::add_input(const at::Tensor& fake, c10::Device device) {
    const Value value = new_value({.tensor = fake, .device = device});
    if (trace_.inputs.empty()) model_device_ = device;
    trace_.inputs.push_back(value);
    records_[add_record(fake, fake, value)].original = value;
    return fake;
}

/// A tensor never seen before is one that the model brought along.
inline std::uint32_t Tracer::record_of(const at::Tensor& tensor) {
    const auto found = index_.find(tensor.unsafeGetTensorImpl());
    if (found != index_.end()) return found->second;
    if (const std::uint32_t same = same_tensor(tensor); same != none) {
        kept_.push_back(tensor);
        return index_[tensor.unsafeGetTensorImpl()] = same;
    }
    if (tensor.is_meta() && fakes_ != nullptr && !is_nested_ && fakes_->count(tensor.unsafeGetTensorImpl()) != 0)
        throw Error(
            ErrorKind::unsupported, "forward uses a tensor that an earlier call has left behind in the model",
            {.hint = "register it as a buffer, which a capture puts back as it was, or make it before the export"});
    const at::Tensor fake = tensor.is_meta() ? tensor : fake_like(tensor);
    const std::uint32_t record = add_record(tensor, fake, new_value({.tensor = fake, .device = tensor.device()}));
    records_[record].original = records_[record].value;
    if (fakes_ != nullptr)
        fakes_->erase(tensor.unsafeGetTensorImpl());  // a parameter on the meta device is its own fake, in every run
    // Memory that belongs to somebody else (from_blob) may be gone when forward has returned; the model's own state stays.
    const bool borrowed = tensor.has_storage() && !tensor.is_meta() &&
                          tensor.storage().data_ptr().get_context() == nullptr && tensor.nbytes() > 0 &&
                          (names_ == nullptr || !names_->has(tensor));
    trace_.lifted.push_back({records_[record].value, borrowed ? tensor.clone() : tensor});
    return record;
}

/// From here on values of the graph like any other: the constant, what it is a view of, and all other views of that.
inline void Tracer::lift_constants(std::uint32_t one) {
    std::vector<std::uint32_t> family;
    const auto newest = newest_of_storage_.find(detail::storage_of(records_[one].held));
    for (std::uint32_t at = newest == newest_of_storage_.end() ? one : newest->second; at != none;
         at = records_[at].neighbour)
        if (!records_[at].value) family.push_back(at);
    for (std::size_t i = family.size(); i-- > 0;) {  // the oldest first: views come after what they are views of
        Record& constant = records_[family[i]];
        constant.constant = false;
        if (constant_views_.contains(family[i])) {
            replay_view(family[i]);
            continue;
        }
        const at::Tensor tensor = constant.held;
        constant.fake = fake_like(tensor);
        index_[constant.fake.unsafeGetTensorImpl()] = family[i];
        constant.value = new_value({.tensor = constant.fake, .device = tensor.device()});
        trace_.lifted.push_back({constant.value, tensor, constant.memory});
    }
}

inline void Tracer::replay_view(std::uint32_t index) {
    ConstantView view = std::move(constant_views_.at(index));
    const auto outer_records = std::exchange(argument_records_, {});
    const auto outer_device = call_device_;
    const auto storage = detail::storage_of(records_[index].held);
    std::vector<Argument> arguments = read_arguments(*view.info, view.arguments);
    std::uint32_t parent = none, made_from = 0;
    for (const auto& [record, position] : argument_records_)
        if (parent == none && detail::storage_of(records_[record].held) == storage)
            parent = record, made_from = position;
    fake_arguments(*view.info, view.arguments);
    run(*view.info, view.arguments);
    const std::vector<Value> values = append(*view.info, std::move(arguments), view.arguments);
    Record& record = records_[index];
    record.value = values.at(view.made_as);
    record.fake = value(record.value).tensor;
    if (record.fake.sizes() != record.held.sizes())
        throw Error(ErrorKind::unsupported, "forward changes the shape of a view of a constant in place",
                    {.hint = "use the op without the trailing underscore", .where = {.op = view.info->name}});
    record.root = records_[parent].root;
    record.parent = parent;
    record.made_by = static_cast<std::uint32_t>(trace_.ops.size() - 1);
    record.made_from = made_from;
    record.made_as = view.made_as;
    record.seen = records_[record.root].version;
    index_[record.fake.unsafeGetTensorImpl()] = index;
    argument_records_ = outer_records;
    call_device_ = outer_device;
}

inline Value Tracer::current(std::uint32_t index) {
    if (!records_[index].value) lift_constants(index);
    const Record& record = records_[index];
    if (record.parent == none || record.seen == records_[record.root].version) return record.value;
    const Value base = current(record.parent);
    const TraceOp view = trace_.ops[record.made_by];
    std::vector<Argument> arguments = view.arguments;
    arguments[record.made_from] = base;
    const Value again = emit(view.name, std::move(arguments)).at(records_[index].made_as);
    records_[index].value = again;
    records_[index].seen = records_[records_[index].root].version;
    return again;
}

inline void Tracer::write(std::uint32_t index, Value value) {
    std::vector<std::uint32_t> written{index};
    records_[index].value = value;
    while (records_[index].parent != none) {
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

/// In place, a result takes the dtype of what it is written to.
inline void Tracer::write_cast(std::uint32_t record, Value value, const OpInfo& by) {
    const at::Tensor& place = records_[record].fake;
    const at::Tensor& result = this->value(value).tensor;
    if (place.sizes() != result.sizes())
        throw Error(ErrorKind::invalid_input, "forward writes a result in place to a tensor of another shape",
                    {.where = {.op = by.name}});
    if (place.scalar_type() != result.scalar_type())
        value = emit("aten::to.dtype", {value, to_dtype(place.scalar_type())}).at(0);
    write(record, value);
}

inline std::vector<Argument> Tracer::read_arguments(const OpInfo& info, std::span<const c10::IValue> values) {
    std::vector<Argument> arguments;
    arguments.reserve(values.size());
    argument_records_.clear();
    call_device_ = c10::kCPU;
    bool device_known = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
        arguments.push_back(to_argument(values[i], info.argument_kinds[i], [&](const at::Tensor& tensor) {
            const std::uint32_t record = record_of(tensor);
            const Value value = current(record);
            argument_records_.emplace_back(record, static_cast<std::uint32_t>(i));
            if (!device_known && tensor.dim() > 0) call_device_ = this->value(value).device, device_known = true;
            return value;
        }));
    }
    if (info.device && values[*info.device].isDevice()) {
        call_device_ = values[*info.device].toDevice();
        if (call_device_.is_meta())
            call_device_ = model_device_;  // x.options() of a fake tensor names where the fake is
        arguments[*info.device] = to_device(call_device_);
    }
    return arguments;
}

inline void Tracer::fake_arguments(const OpInfo& info, std::span<c10::IValue> values) {
    for (c10::IValue& value : values)
        value = detail::exchange_tensors(value, [&](const at::Tensor& tensor) {
            return tensor.defined() && !tensor.is_meta() ? records_[record_of(tensor)].fake : tensor;
        });
    if (info.device) values[*info.device] = c10::Device(c10::kMeta);
}

/// On fake arguments. Some composite ops reach an op without a Meta kernel only inside: that is learnt once.
inline void Tracer::run(OpInfo& info, torch::jit::Stack& stack) {
    if (info.fake != nullptr) {
        const SizeSourceScope sizes(*this);
        return info.fake->callBoxed(info.op, c10::DispatchKeySet(c10::DispatchKey::Meta), &stack);
    }
    if (!info.without_meta) {
        const std::size_t count = info.op.schema().arguments().size();
        const torch::jit::Stack arguments(stack.end() - static_cast<std::ptrdiff_t>(count), stack.end());
        const std::size_t below = stack.size() - count;
        try {
            return info.op.callBoxed(stack);
        } catch (const c10::Error& error) {
            // Some Meta kernels compute on the data after all.
            const bool has_kernel = dynamic_cast<const c10::NotImplementedError*>(&error) == nullptr;
            if (has_kernel && std::string_view(error.what_without_backtrace()).find(no_data) == std::string_view::npos)
                throw;
            info.without_meta = true;
            stack.resize(below);
            stack.insert(stack.end(), arguments.begin(), arguments.end());
        }
    }
    run_watched(info, stack);
}

/// On zeros, unless that would give what only zeros give.
inline void Tracer::run_watched(const OpInfo& info, torch::jit::Stack& stack) {
    if (depends_on_values(info.op))
        throw Error(
            ErrorKind::unsupported,
            "forward calls an op whose result is as large as the values of its arguments say, and no rule says how large",
            {.hint = "give the pipeline a fake of it: ferry::extend<Pipeline, ferry::fakes<my_fake>>",
             .where = {.op = info.name}});
    if (!info.is_composite) return run_on_zeros(info.op, stack);
    c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();
    keys.excluded_ = keys.excluded_.remove(trace_key);
    const c10::impl::ForceDispatchKeyGuard traced_again(keys);
    struct Watch {
        bool& on;
        bool before = std::exchange(on, true);
        ~Watch() { on = before; }
    };
    const Watch watching{watching_};
    run_on_zeros(info.op, stack);
}

/// An op inside of a composite one that runs on zeros.
inline void Tracer::watch(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) const {
    if (depends_on_values(op)) {
        bool by_value = op.schema().name() != "aten::index";
        if (!by_value)
            for (const c10::IValue& value : detail::last(*stack, op.schema().arguments().size()))
                if (!value.isTensor())
                    detail::for_each_tensor(value, [&](const at::Tensor& index) {
                        by_value = by_value || index.scalar_type() == at::kBool || index.scalar_type() == at::kByte;
                    });
        if (by_value) throw NeedsParts{};
    }
    op.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, trace_key), stack);
}

inline std::int64_t Tracer::fresh(ValueRange range) {
    if (is_nested_)
        throw Error(ErrorKind::unsupported,
                    "inside a branch or body of control flow a size depends on the values of a tensor",
                    {.hint = "compute it outside and pass the result in"});
    const std::size_t position = trace_.unbacked.size();
    trace_.unbacked.push_back(range);
    return position < unbacked_.size() ? unbacked_[position] : std::max<std::int64_t>(range.min, 2);
}

inline std::int64_t Tracer::count(const at::Tensor& tensor) {
    const auto known = index_.find(tensor.unsafeGetTensorImpl());
    if (known == index_.end()) return fresh(ValueRange::at_least(0));
    const std::uint32_t value = current(known->second).index;
    const auto found = counts_.find(value);
    return found != counts_.end() ? found->second : counts_[value] = fresh(ValueRange::at_least(0));
}

inline std::string_view Tracer::module_of(std::span<const c10::IValue> values) {
    if (names_ == nullptr) return {};
    return names_->path_of([&](const auto& visit) {
        for (const c10::IValue& value : values) detail::for_each_tensor(value, visit);
    });
}

inline std::vector<Value> Tracer::append(const OpInfo& info, std::vector<Argument> arguments,
                                         std::span<const c10::IValue> results) {
    TraceOp op{.name = info.name, .schema = &info.op.schema(), .arguments = std::move(arguments), .module = module_};
    std::vector<Value> values;
    const auto add = [&](const at::Tensor& tensor) {
        const Value value = new_value({.tensor = tensor, .device = call_device_});
        values.push_back(value);
        op.outputs.back().values.push_back(value);
    };
    for (const c10::IValue& result : results) {
        op.outputs.push_back({.is_list = result.isList()});
        detail::for_each_tensor(result, add);
    }
    trace_.ops.push_back(std::move(op));
    return values;
}

inline void Tracer::register_results(std::span<const c10::IValue> results, std::span<const Value> values) {
    std::uint32_t position = 0;
    const auto made_by = static_cast<std::uint32_t>(trace_.ops.size() - 1);
    for (const c10::IValue& result : results)
        detail::for_each_tensor(result, [&](const at::Tensor& tensor) {
            const std::uint32_t made_as = position++;
            const auto known = index_.find(tensor.unsafeGetTensorImpl());
            if (known != index_.end()) {  // the op gave its argument back: from now on known by the newer name
                records_[known->second].value = values[made_as];
                return;
            }
            const std::uint32_t record = add_record(tensor, tensor, values[made_as]);
            const auto* storage = detail::storage_of(tensor);
            for (const auto& [argument, from] : argument_records_)
                if (storage != nullptr && detail::storage_of(records_[argument].fake) == storage) {
                    Record& view = records_[record];
                    view.root = records_[argument].root;
                    view.parent = argument;
                    view.made_by = made_by;
                    view.made_from = from;
                    view.made_as = made_as;
                    view.seen = records_[view.root].version;
                    return;
                }
            if (storage != nullptr && tensor.is_meta()) forbid_data(tensor);
        });
}

inline bool Tracer::all_constant(std::span<const c10::IValue> values) const {
    bool any = false;
    bool all = true;
    for (const c10::IValue& value : values)
        detail::for_each_tensor(value, [&](const at::Tensor& tensor) {
            const auto found = index_.find(tensor.unsafeGetTensorImpl());
            any = true;
            all = all && found != index_.end() && records_[found->second].constant;
        });
    return any && all;
}

/// For real, since all arguments are known: the result is a constant too.
inline void Tracer::compute(OpInfo& info, torch::jit::Stack& stack) {
    const auto given = detail::last(stack, info.op.schema().arguments().size());
    const torch::jit::Stack arguments(given.begin(), given.end());
    info.op.callBoxed(stack);
    std::uint32_t made_as = 0;
    for (const c10::IValue& result : detail::last(stack, info.op.schema().returns().size()))
        detail::for_each_tensor(result, [&](const at::Tensor& tensor) {
            const std::uint32_t position = made_as++;
            if (index_.count(tensor.unsafeGetTensorImpl()) != 0) return;
            const std::uint32_t record = add_record(tensor, tensor, {});
            records_[record].constant = true;
            for (const c10::IValue& argument : arguments)
                detail::for_each_tensor(argument, [&](const at::Tensor& from) {
                    const std::uint32_t memory = records_[record_of(from)].memory;
                    if (records_[record].memory == none) records_[record].memory = memory;
                    if (detail::storage_of(from) == detail::storage_of(tensor))
                        constant_views_[record] = {&info, arguments, position};
                });
        });
}

inline void Tracer::call(OpInfo& info, torch::jit::Stack& stack) {
    const c10::FunctionSchema& schema = info.op.schema();
    const auto values = detail::last(stack, schema.arguments().size());
    std::vector<Argument> arguments = read_arguments(info, values);
    if (info.name ==
        "aten::equal") {  // attention asks whether query, key and value are one: they are if they have one value
        const Value self = *arguments[0].get_if<Value>(), other = *arguments[1].get_if<Value>();
        const bool same = self == other;
        if (same || value(self).tensor.sizes() != value(other).tensor.sizes()) {
            stack.resize(stack.size() - values.size());
            stack.emplace_back(same);
            return;
        }
    }
    if (info.returns_numbers && !argument_records_.empty())
        throw Error(ErrorKind::unsupported, "forward asks for a number that depends on the values of a tensor",
                    {.hint = "a branch on it is written with ferry::cond", .where = {.op = info.name}});
    fake_arguments(info, values);
    run(info, stack);
    const auto results = detail::last(stack, schema.returns().size());
    register_results(results, append(info, std::move(arguments), results));
}

inline void Tracer::call_writing(OpInfo& info, torch::jit::Stack& stack) {
    const c10::FunctionSchema& schema = info.op.schema();
    const auto values = detail::last(stack, schema.arguments().size());
    if (info.functional == nullptr && info.is_composite) throw NeedsParts{};
    if (info.functional == nullptr)
        throw Error(ErrorKind::unsupported,
                    "forward writes in place with an op that has no form which returns its result",
                    {.hint = "use the op without the trailing underscore", .where = {.op = info.name}});
    std::vector<at::Tensor> places;
    for (const std::size_t position : info.written) {
        if (!values[position].isTensor())
            throw Error(ErrorKind::unsupported, "forward writes in place to a list of tensors",
                        {.hint = "write to one after the other", .where = {.op = info.name}});
        places.push_back(values[position].toTensor());
    }
    std::vector<Argument> arguments = read_arguments(info, values);
    fake_arguments(info, values);

    OpInfo& functional = infos_.of(info.functional->op);
    const c10::FunctionSchema& pure = functional.op.schema();
    std::vector<Argument> pure_arguments;
    torch::jit::Stack pure_stack;
    for (const c10::Argument& wanted : pure.arguments()) {
        const auto position = schema.argumentIndexWithName(wanted.name());
        pure_arguments.push_back(position ? arguments[static_cast<std::size_t>(*position)] : Argument());
        pure_stack.push_back(position ? values[static_cast<std::size_t>(*position)]
                                      : wanted.default_value().value_or(c10::IValue()));
    }
    run(functional, pure_stack);
    const std::vector<Value> results = append(functional, std::move(pure_arguments), pure_stack);

    // First what the op returns anyway, then what it writes.
    torch::jit::Stack returned;
    std::size_t plain = 0, given = 0;
    for (const c10::Argument& each : schema.returns()) {
        if (each.alias_info() != nullptr) {
            returned.emplace_back(places.at(given++));
            continue;
        }
        const at::Tensor tensor = value(results.at(plain)).tensor;
        add_record(tensor, tensor, results[plain++]);
        returned.emplace_back(tensor);
    }
    for (std::size_t i = 0; i < places.size(); ++i) write_cast(record_of(places[i]), results.at(plain + i), info);
    stack.resize(stack.size() - schema.arguments().size());
    stack.insert(stack.end(), returned.begin(), returned.end());
}

inline void Tracer::change_geometry(OpInfo& info, torch::jit::Stack& stack) {
    const c10::FunctionSchema& schema = info.op.schema();
    const auto values = detail::last(stack, schema.arguments().size());
    const at::Tensor self = values[0].toTensor();
    const std::uint32_t index = record_of(self);
    if (!self.is_meta() || info.functional == nullptr)
        throw Error(ErrorKind::unsupported, "forward changes the shape of a parameter or buffer in place",
                    {.hint = "use the op without the trailing underscore", .where = {.op = info.name}});
    std::vector<Argument> arguments = read_arguments(info, values);
    for (TraceValue& each : trace_.values)  // what the trace has seen stays as it was
        if (each.tensor.is_same(self)) each.tensor = self.detach();
    OpInfo& view = infos_.of(info.functional->op);
    torch::jit::Stack view_stack(values.begin(), values.end());
    run(view, view_stack);
    const Value seen = append(view, std::move(arguments), view_stack).at(0);

    // What the tensor was until now stays in the family as its base, though the model has no handle to it any more.
    const auto before = static_cast<std::uint32_t>(records_.size());
    records_.push_back(records_[index]);
    for (std::uint32_t i = 0; i < before; ++i) {
        if (records_[i].root == index) records_[i].root = before;
        if (records_[i].parent == index) records_[i].parent = before;
    }
    if (records_[before].root == index) records_[before].root = before;
    records_[before].fake = this->value(records_[before].value).tensor;
    Record& now = records_[index];
    now.value = seen;
    now.root = records_[before].root;
    now.parent = before;
    now.made_by = static_cast<std::uint32_t>(trace_.ops.size() - 1);
    now.made_from = now.made_as = 0;
    now.seen = records_[now.root].version;
    now.original = {};
    info.op.callBoxed(stack);
}

/// Of a tensor that forward has made from a number: torch::tensor(n) is scalar_tensor to a capture.
inline std::optional<std::int64_t> Tracer::known_number(Value value) const {
    for (std::size_t i = trace_.ops.size(); i-- > 0;) {
        const TraceOp& op = trace_.ops[i];
        if (op.outputs.size() != 1 || op.outputs[0].is_list || op.outputs[0].values != std::vector<Value>{value})
            continue;
        if (op.name == "aten::scalar_tensor")
            if (const auto* number = op.arguments[0].get_if<std::int64_t>()) return *number;
        if (op.name == "aten::full")
            if (const auto* number = op.arguments[1].get_if<std::int64_t>()) return *number;
        const bool same = op.name == "aten::detach" || op.name == "aten::clone" || op.name == "aten::alias" ||
                          op.name == "aten::lift_fresh";
        if (!same) return std::nullopt;
        value = *op.arguments[0].get_if<Value>();
    }
    return std::nullopt;
}

inline void Tracer::answer_value(OpInfo& info, torch::jit::Stack& stack) {
    const auto values = detail::last(stack, 1);
    const at::Tensor tensor = values[0].toTensor();
    std::vector<Argument> arguments = read_arguments(info, values);
    if (!c10::isIntegralType(tensor.scalar_type(), /*includeBool=*/false))
        throw Error(ErrorKind::unsupported,
                    std::string("forward asks a tensor of ") +
                        std::string(ferry::info(to_dtype(tensor.scalar_type())).torch_name) +
                        " for its value, which is not known while the model is captured",
                    {.hint = "a branch on it is written with ferry::cond; arithmetic works on the tensor itself",
                     .where = {.op = info.name}});
    if (const auto known =
            tensor.scalar_type() == at::kLong ? known_number(*arguments[0].get_if<Value>()) : std::nullopt) {
        stack.back() = *known;
        return;
    }
    const std::int64_t number = fresh({});
    const Value value = new_value({.kind = ValueKind::sym_int, .number = number});
    trace_.ops.push_back({.name = info.name,
                          .schema = &info.op.schema(),
                          .arguments = std::move(arguments),
                          .outputs = {{.values = {value}}},
                          .module = module_});
    stack.pop_back();
    stack.emplace_back(number);
}

inline bool Tracer::asks_for_meta(const OpInfo& info, torch::jit::Stack& stack) {
    if (!info.device) return false;
    const c10::IValue& device = detail::last(stack, info.op.schema().arguments().size())[*info.device];
    return device.isDevice() && device.toDevice().is_meta();
}

/// Real, because torch::tensor() and friends fill it through its data pointer, which nobody can see.
inline void Tracer::make_memory(OpInfo& info, torch::jit::Stack& stack) {
    const std::uint32_t memory = next_memory_++;
    if (traced_memory_ != nullptr && traced_memory_->contains(memory)) return call(info, stack);
    info.op.callBoxed(stack);
    const at::Tensor tensor = stack.back().toTensor();
    if (tensor.is_meta()) return;
    Record& record = records_[add_record(tensor, tensor, {})];
    record.constant = true;
    record.memory = memory;
}

/// These update running statistics although their schemas do not say so.
inline bool Tracer::call_with_hidden_write(OpInfo& info, torch::jit::Stack& stack) {
    const bool whole = info.name == "aten::batch_norm";
    const bool by_instance = info.name == "aten::instance_norm";
    if (!whole && !by_instance && info.name != "aten::native_batch_norm") return false;
    const auto values = detail::last(stack, info.op.schema().arguments().size());
    if (!values[5].toBool() || !values[3].isTensor() || !values[3].toTensor().defined()) return false;
    if (by_instance) throw NeedsParts{};  // a batch norm and copies
    const at::Tensor mean = values[3].toTensor();
    const at::Tensor variance = values[4].toTensor();
    std::vector<Argument> arguments = read_arguments(info, values);
    if (whole) arguments.pop_back();  // cudnn_enabled
    const std::vector<Value> results = emit("aten::_native_batch_norm_legit_functional", std::move(arguments));
    write(record_of(mean), results.at(3));
    write(record_of(variance), results.at(4));
    stack.resize(stack.size() - values.size());
    for (const Value result : std::span(results).first(whole ? 1 : 3)) {
        const at::Tensor output = value(result).tensor;
        add_record(output, output, result);
        stack.emplace_back(output);
    }
    return true;
}

inline std::vector<Value> Tracer::emit(std::string_view op, std::vector<Argument> arguments) {
    const auto dot = op.find('.');
    const auto found = detail::find_op(std::string(op.substr(0, dot)),
                                       dot == std::string_view::npos ? "" : std::string(op.substr(dot + 1)));
    if (!found) throw Error(ErrorKind::unsupported, "this libtorch has no such op", {.where = {.op = std::string(op)}});
    OpInfo& info = infos_.of(*found);
    const UntracedScope below;
    torch::jit::Stack stack;
    const auto& wanted = info.op.schema().arguments();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (i < arguments.size() && !(arguments[i].is_none() && wanted[i].default_value()))
            stack.push_back(to_ivalue(arguments[i], *wanted[i].real_type(),
                                      [&](Value value) -> c10::IValue { return this->value(value).tensor; }));
        else
            stack.push_back(wanted[i].default_value().value_or(c10::IValue()));
        if (i >= arguments.size())
            arguments.push_back(
                to_argument(stack.back(), info.argument_kinds[i], [](const at::Tensor&) { return Value(); }));
    }
    if (info.device) stack[*info.device] = c10::Device(c10::kMeta);
    for (const Argument& argument : arguments)
        for_each_value(argument, [&](Value value) { call_device_ = this->value(value).device; });
    run(info, stack);
    return append(info, std::move(arguments), stack);
}

inline void Tracer::handle(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    if (watching_) return watch(op, keys, stack);
    OpInfo& info = infos_.of(op);
    if (info.patch != nullptr && std::ranges::find(patching_, &info) == patching_.end()) {
        struct Leave {
            std::vector<const OpInfo*>& patching;
            ~Leave() { patching.pop_back(); }
        };
        patching_.push_back(&info);
        const Leave leave{patching_};
        return info.patch->callBoxed(op, keys, stack);
    }
    const std::size_t count = op.schema().arguments().size();
    module_ = module_of(detail::last(*stack, count));
    if (!module_.empty()) last_module_ = module_;
    try {
        if (!info.is_composite || info.fake != nullptr) return handle_whole(info, *stack);
        const torch::jit::Stack arguments(stack->end() - static_cast<std::ptrdiff_t>(count), stack->end());
        const std::size_t below = stack->size() - count;
        try {
            return handle_whole(info, *stack);
        } catch (const NeedsParts&) {  // then what it consists of is recorded instead
            stack->resize(below);
            stack->insert(stack->end(), arguments.begin(), arguments.end());
        }
    } catch (const Error& error) {
        if (!error.where().path.empty()) throw;
        ErrorDetails details{.hint = error.hint(), .where = error.where()};
        details.where.path = module_.empty() ? last_module_ : module_;
        throw Error(error.kind(), error.message(), std::move(details));
    } catch (const c10::Error& error) {
        throw Error(ErrorKind::invalid_input, error.what_without_backtrace(),
                    {.where = {.op = info.name, .path = std::string(module_.empty() ? last_module_ : module_)}});
    }
    op.callBoxedForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd, *stack);
}

inline void Tracer::handle_whole(OpInfo& info, torch::jit::Stack& stack) {
    const UntracedScope below;
    if (!info.is_random && all_constant(detail::last(stack, info.op.schema().arguments().size())))
        return compute(info, stack);
    switch (info.op_class) {
        case OpClass::shape_query: return info.op.callBoxed(stack);
        case OpClass::value_query: return answer_value(info, stack);
        case OpClass::memory:
            if (constants_stay_real_ && !asks_for_meta(info, stack)) return make_memory(info, stack);
            break;
        case OpClass::geometry: return change_geometry(info, stack);
        case OpClass::nothing: {
            const c10::IValue self = detail::last(stack, info.op.schema().arguments().size())[0];
            stack.resize(stack.size() - info.op.schema().arguments().size());
            if (!info.op.schema().returns().empty()) stack.push_back(self);
            return;
        }
        case OpClass::ordinary: break;
    }
    if (!info.written.empty()) return call_writing(info, stack);
    if (!call_with_hidden_write(info, stack)) call(info, stack);
}

inline std::vector<at::Tensor> Tracer::call_higher_order(std::string_view op, std::vector<Argument> arguments,
                                                         std::vector<std::shared_ptr<const Trace>> bodies,
                                                         std::span<const at::Tensor> like) {
    const UntracedScope below;
    TraceOp call{.name = op, .arguments = std::move(arguments), .subtraces = std::move(bodies)};
    std::vector<at::Tensor> results;
    for (const at::Tensor& each : like) {
        const at::Tensor result = fake_like(each);
        const Value value = new_value({.tensor = result});
        add_record(result, result, value);
        call.outputs.push_back({.values = {value}});
        results.push_back(result);
    }
    trace_.ops.push_back(std::move(call));
    return results;
}

inline void Tracer::add_output(const c10::IValue& leaf) {
    const UntracedScope below;
    trace_.outputs.push_back(to_argument(leaf, c10::TypeKind::AnyType,
                                         [&](const at::Tensor& tensor) { return current(record_of(tensor)); }));
}

inline Trace Tracer::finish() {
    for (const Record& record : records_)
        if (record.original && record.parent == none && record.version > 0)
            trace_.mutations.push_back({record.original, record.value});
    return std::move(trace_);
}

}  // namespace ferry::capture
