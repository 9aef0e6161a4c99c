#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/alignment.hpp>
#include <ferry/executorch/constants.hpp>
#include <ferry/executorch/extended_header.hpp>
#include <ferry/executorch/file_writer.hpp>
#include <ferry/executorch/library.hpp>
#include <ferry/executorch/method.hpp>
#include <ferry/executorch/serialize.hpp>
#include <ferry/executorch/tensor_file.hpp>
#include <ferry/executorch/xnnpack/write.hpp>

#include <ferry_schema/executorch/program_generated.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::executorch {
namespace detail {

namespace schema = ::ferry_schema::executorch_flatbuffer;

inline constexpr std::uint64_t tensor_alignment = 16;

/// Tensors one behind the other; none stands for one that is in another file.
struct Segment {
    std::vector<at::Tensor> tensors;
    std::vector<std::uint64_t> offsets{0};  ///< the first stands for no tensor
    std::uint64_t size = 0;
    std::uint64_t offset = 0;  ///< behind the flatbuffer

    void append(const at::Tensor& tensor) {
        if (tensor.defined()) size = aligned(size, tensor_alignment);
        tensors.push_back(tensor);
        offsets.push_back(size);
        if (tensor.defined())
            size += std::max<std::uint64_t>(tensor.nbytes(), 1);  // the runtime takes no segment without bytes
    }
    /// One that begins as another does, which is as long or longer.
    void append_at(std::uint64_t offset_of_other) {
        tensors.emplace_back();
        offsets.push_back(offset_of_other);
    }
};

[[nodiscard]] inline bool is_zero(const at::Tensor& tensor) {
    if (!tensor.is_cpu() || !tensor.is_contiguous() || tensor.nbytes() == 0) return false;
    const auto* const bytes = static_cast<const std::byte*>(tensor.const_data_ptr());
    return bytes[0] == std::byte{0} && std::memcmp(bytes, bytes + 1, tensor.nbytes() - 1) == 0;
}

using DelegateBytes = flatbuffers::Offset<schema::BackendDelegateInlineData>;

class MethodWriter {
public:
    MethodWriter(flatbuffers::FlatBufferBuilder& builder, const Method& method, const SharedData& shared,
                 std::vector<DelegateBytes>& delegates)
        : builder_(builder), method_(method), shared_(shared), delegate_bytes_(delegates) {}

    [[nodiscard]] flatbuffers::Offset<schema::ExecutionPlan> write() {
        std::vector<flatbuffers::Offset<schema::EValue>> values;
        values.reserve(method_.values.size());
        for (const MethodValue& value : method_.values) values.push_back(write(value));
        std::vector<flatbuffers::Offset<schema::Operator>> operators;
        operators.reserve(method_.operators.size());
        for (const Operator& each : method_.operators)
            operators.push_back(schema::CreateOperatorDirect(builder_, each.name.c_str(), each.overload.c_str()));
        std::vector<flatbuffers::Offset<schema::Instruction>> instructions;
        instructions.reserve(method_.instructions.size());
        for (const Instruction& each : method_.instructions) instructions.push_back(write(each));
        const std::vector<std::int32_t> nothing;
        std::vector<flatbuffers::Offset<schema::BackendDelegate>> delegates;
        delegates.reserve(method_.delegates.size());
        for (const DelegateData& each : method_.delegates) delegates.push_back(write(each));
        const std::vector<flatbuffers::Offset<schema::Chain>> chains{
            schema::CreateChainDirect(builder_, &nothing, &nothing, &instructions)};
        const std::vector<std::int64_t> arenas{0, static_cast<std::int64_t>(method_.planned_bytes)};
        return schema::CreateExecutionPlanDirect(
            builder_, method_.name.c_str(), schema::CreateContainerMetadataDirect(builder_, "", ""), &values,
            &method_.inputs, &method_.outputs, &chains, &operators, &delegates, &arenas);
    }

private:
    using Boxed = flatbuffers::Offset<schema::EValue>;
    using Written = flatbuffers::Offset<schema::Instruction>;

    template <class Table>
    [[nodiscard]] Boxed boxed(flatbuffers::Offset<Table> value) {
        return schema::CreateEValue(builder_, schema::KernelTypesTraits<Table>::enum_value, value.Union());
    }
    [[nodiscard]] Boxed write(const MethodValue& value) {
        return std::visit([this](const auto& each) { return write_one(each); }, value);
    }
    [[nodiscard]] Boxed write_one(std::monostate) { return boxed(schema::CreateNull(builder_)); }
    [[nodiscard]] Boxed write_one(std::int64_t value) { return boxed(schema::CreateInt(builder_, value)); }
    [[nodiscard]] Boxed write_one(bool value) { return boxed(schema::CreateBool(builder_, value)); }
    [[nodiscard]] Boxed write_one(double value) { return boxed(schema::CreateDouble(builder_, value)); }
    [[nodiscard]] Boxed write_one(const std::string& value) {
        return boxed(schema::CreateStringDirect(builder_, value.c_str()));
    }
    [[nodiscard]] Boxed write_one(const IntList& list) {
        const std::vector<std::int64_t> items(list.items.begin(), list.items.end());
        return boxed(schema::CreateIntListDirect(builder_, &items));
    }
    [[nodiscard]] Boxed write_one(const DoubleList& list) {
        return boxed(schema::CreateDoubleListDirect(builder_, &list.items));
    }
    [[nodiscard]] Boxed write_one(const BoolList& list) {
        const std::vector<std::uint8_t> items(list.items.begin(), list.items.end());
        return boxed(schema::CreateBoolListDirect(builder_, &items));
    }
    [[nodiscard]] Boxed write_one(const TensorList& list) {
        return boxed(schema::CreateTensorListDirect(builder_, &list.items));
    }
    [[nodiscard]] Boxed write_one(const OptionalTensorList& list) {
        return boxed(schema::CreateOptionalTensorListDirect(builder_, &list.items));
    }
    [[nodiscard]] Boxed write_one(const TensorValue& tensor);

    [[nodiscard]] Written write(const Instruction& instruction) {
        return std::visit([this](const auto& each) { return write_instruction(each); }, instruction);
    }
    [[nodiscard]] Written write_instruction(const KernelCall& call) {
        return instruction(schema::CreateKernelCallDirect(builder_, static_cast<std::int32_t>(call.op), &call.args));
    }
    [[nodiscard]] Written write_instruction(const DelegateCall& call) {
        return instruction(
            schema::CreateDelegateCallDirect(builder_, static_cast<std::int32_t>(call.delegate), &call.args));
    }
    [[nodiscard]] Written write_instruction(const Move& move) {
        return instruction(schema::CreateMoveCall(builder_, move.from, move.to));
    }
    [[nodiscard]] Written write_instruction(const JumpFalse& jump) {
        return instruction(
            schema::CreateJumpFalseCall(builder_, jump.condition, static_cast<std::int32_t>(jump.destination)));
    }
    [[nodiscard]] flatbuffers::Offset<schema::BackendDelegate> write(const DelegateData& delegate) {
        const auto place = schema::CreateBackendDelegateDataReference(
            builder_, schema::DataLocation::INLINE, static_cast<std::uint32_t>(delegate_bytes_.size()));
        constexpr std::size_t alignment = 16;
        std::vector<std::string> names;
        names.reserve(delegate.weights.size());
        for (const std::uint32_t each : delegate.weights) names.push_back(weight_name(each));
        const std::vector<std::byte> data = xnnpack::write(*delegate.delegate, names);
        builder_.ForceVectorAlignment(data.size(), 1, alignment);
        const auto bytes = builder_.CreateVector(reinterpret_cast<const std::uint8_t*>(data.data()), data.size());
        delegate_bytes_.push_back(schema::CreateBackendDelegateInlineData(builder_, bytes));
        return schema::CreateBackendDelegateDirect(builder_, "XnnpackBackend", place);
    }
    template <class Table>
    [[nodiscard]] Written instruction(flatbuffers::Offset<Table> arguments) {
        return schema::CreateInstruction(builder_, schema::InstructionArgumentsTraits<Table>::enum_value,
                                         arguments.Union());
    }

    flatbuffers::FlatBufferBuilder& builder_;
    const Method& method_;
    const SharedData& shared_;
    std::vector<DelegateBytes>& delegate_bytes_;
};

inline flatbuffers::Offset<schema::EValue> MethodWriter::write_one(const TensorValue& tensor) {
    const std::vector<std::uint8_t> order = dim_order(tensor.sizes.size());
    flatbuffers::Offset<schema::AllocationDetails> place;
    if (tensor.buffer >= 0) {
        const Buffer& buffer = method_.buffers[static_cast<std::size_t>(tensor.buffer)];
        constexpr std::uint32_t arena = 1;
        if (buffer.is_planned)
            place = schema::CreateAllocationDetails(builder_, arena, static_cast<std::uint32_t>(buffer.offset),
                                                    static_cast<std::uint32_t>(buffer.offset >> 32U));
    }
    const std::string key = external_name(tensor, shared_);
    flatbuffers::Offset<schema::ExtraTensorInfo> elsewhere;
    if (!key.empty())
        elsewhere = schema::CreateExtraTensorInfoDirect(builder_, 0, key.c_str(), schema::TensorDataLocation::EXTERNAL);
    const std::uint32_t here = tensor.constant != 0 ? tensor.constant : tensor.initial;
    return boxed(schema::CreateTensorDirect(
        builder_, static_cast<schema::ScalarType>(tensor.dtype), 0, &tensor.sizes, &order, false,
        key.empty() ? here : 0, place, 0,
        tensor.is_dynamic ? schema::TensorShapeDynamism::DYNAMIC_BOUND : schema::TensorShapeDynamism::STATIC,
        elsewhere));
}

/// What stands behind the flatbuffer: constants, what buffers begin with, and the weights of delegates, each by itself. Weights that
/// are a constant too are the same bytes.
class Segments {
public:
    explicit Segments(const SharedData& shared) {
        const std::vector<at::Tensor>& constants = shared.constants.tensors();
        for (std::uint32_t i = 0; i < constants.size(); ++i)
            constants_.append(is_external(i + 1, shared) ? at::Tensor() : constants[i]);
        append_initial_values(shared.initial_values.tensors());
        for (Segment* each : {&constants_, &initial_}) {
            if (each->size == 0) continue;
            each->offset = append(each->size);
            places_.emplace_back(each->offset, each->size);
        }
        if (!shared.is_external) place_weights(shared);
        std::sort(places_.begin(), places_.end());  // as the format wants them
    }
    /// Those that are all zeros, as caches are, share the bytes of the longest: the runtime copies what each begins with.
    void append_initial_values(const std::vector<at::Tensor>& tensors) {
        std::vector<bool> zero;
        at::Tensor longest;
        for (const at::Tensor& each : tensors) {
            zero.push_back(is_zero(each));
            if (zero.back() && (!longest.defined() || each.nbytes() > longest.nbytes())) longest = each;
        }
        std::optional<std::uint64_t> zeros;
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            if (zero[i] && zeros) {
                initial_.append_at(*zeros);
                continue;
            }
            initial_.append(zero[i] ? longest : tensors[i]);
            if (zero[i]) zeros = initial_.offsets.back();
        }
    }
    void place_weights(const SharedData& shared) {
        for (const at::Tensor& tensor : shared.weights.tensors()) {
            const std::uint32_t known = shared.constants.find(tensor);
            weights_.push_back({tensor, known == 0 ? append(tensor.nbytes()) : constants_.offsets[known], known != 0});
            places_.emplace_back(weights_.back().offset, tensor.nbytes());
        }
    }

    [[nodiscard]] bool empty() const noexcept { return places_.empty(); }
    [[nodiscard]] std::uint64_t size() const noexcept { return end_; }

    [[nodiscard]] auto write_places(flatbuffers::FlatBufferBuilder& builder) const {
        std::vector<flatbuffers::Offset<schema::DataSegment>> made;
        made.reserve(places_.size());
        for (const auto& [offset, size] : places_) made.push_back(schema::CreateDataSegment(builder, offset, size));
        return builder.CreateVector(made);
    }
    [[nodiscard]] auto write_constants(flatbuffers::FlatBufferBuilder& builder) const {
        return write_offsets(builder, constants_);
    }
    [[nodiscard]] flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<schema::SubsegmentOffsets>>>
    write_initial_values(flatbuffers::FlatBufferBuilder& builder) const {
        if (initial_.size == 0) return 0;
        return builder.CreateVector(std::vector{write_offsets(builder, initial_)});
    }
    [[nodiscard]] auto write_names(flatbuffers::FlatBufferBuilder& builder) const {
        std::vector<flatbuffers::Offset<schema::NamedData>> made;
        made.reserve(weights_.size());
        for (std::uint32_t i = 0; i < weights_.size(); ++i)
            made.push_back(schema::CreateNamedDataDirect(builder, weight_name(i + 1).c_str(),
                                                         index({weights_[i].offset, weights_[i].tensor.nbytes()})));
        return builder.CreateVector(made);
    }
    void write_data(FileWriter& writer, std::uint64_t base) const {
        for (const Segment* each : {&constants_, &initial_})
            for (std::size_t i = 0; i < each->tensors.size(); ++i)
                if (each->tensors[i].defined())
                    writer.write(each->tensors[i], base + each->offset + each->offsets[i + 1]);
        for (const PlacedWeights& each : weights_)
            if (!each.is_constant) writer.write(each.tensor, base + each.offset);
    }

private:
    using Place = std::pair<std::uint64_t, std::uint64_t>;
    struct PlacedWeights {
        at::Tensor tensor;
        std::uint64_t offset;
        bool is_constant;
    };
    [[nodiscard]] std::uint64_t append(std::uint64_t size) {
        const std::uint64_t offset = aligned(end_, segment_alignment);
        end_ = offset + size;
        return offset;
    }
    [[nodiscard]] std::uint32_t index(Place place) const {
        return static_cast<std::uint32_t>(std::lower_bound(places_.begin(), places_.end(), place) - places_.begin());
    }
    [[nodiscard]] flatbuffers::Offset<schema::SubsegmentOffsets> write_offsets(flatbuffers::FlatBufferBuilder& builder,
                                                                               const Segment& segment) const {
        const std::vector<std::uint64_t> none{0};
        if (segment.size == 0) return schema::CreateSubsegmentOffsetsDirect(builder, 0, &none);
        return schema::CreateSubsegmentOffsetsDirect(builder, index({segment.offset, segment.size}), &segment.offsets);
    }

    Segment constants_, initial_;
    std::vector<PlacedWeights> weights_;
    std::vector<Place> places_;
    std::uint64_t end_ = 0;
};

/// The flatbuffer, with its header.
[[nodiscard]] inline std::vector<std::byte> program_bytes(const std::vector<Method>& methods, const SharedData& shared,
                                                          const Segments& segments) {
    flatbuffers::FlatBufferBuilder builder;
    std::vector<flatbuffers::Offset<schema::ExecutionPlan>> plans;
    plans.reserve(methods.size());
    std::vector<DelegateBytes> delegates;
    for (const Method& method : methods) plans.push_back(MethodWriter(builder, method, shared, delegates).write());
    const auto all_plans = builder.CreateVector(plans);
    const auto all_delegates = builder.CreateVector(delegates);
    const auto places = segments.write_places(builder);
    const auto constants = segments.write_constants(builder);
    const auto initial_values = segments.write_initial_values(builder);
    const auto names = segments.write_names(builder);
    schema::FinishProgramBuffer(builder, schema::CreateProgram(builder, 0, all_plans, 0, all_delegates, places,
                                                               constants, initial_values, names));
    const std::span<const std::byte> program(reinterpret_cast<const std::byte*>(builder.GetBufferPointer()),
                                             builder.GetSize());
    const std::uint64_t size = program.size() + ExtendedHeader::size;
    const auto header =
        ExtendedHeader{size, segments.empty() ? 0 : aligned(size, segment_alignment), segments.size()}.bytes();
    return with_header(program, header);
}

}  // namespace detail

FERRY_INLINE std::vector<std::byte> serialize_program(const std::vector<Method>& methods, const SharedData& shared) {
    return detail::program_bytes(methods, shared, detail::Segments(shared));
}

FERRY_INLINE void serialize(const std::vector<Method>& methods, const SharedData& shared, const Sink& sink) {
    meet_library();
    const detail::Segments segments(shared);
    const std::vector<std::byte> program = detail::program_bytes(methods, shared, segments);
    detail::FileWriter output(sink);
    output.write(program);
    if (segments.empty()) return;
    const std::uint64_t base = aligned(program.size(), detail::segment_alignment);
    segments.write_data(output, base);
    output.pad_to(base + segments.size());
}

}  // namespace ferry::executorch
