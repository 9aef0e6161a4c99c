#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/constants.hpp>
#include <ferry/executorch/library.hpp>
#include <ferry/executorch/method.hpp>
#include <ferry/executorch/serialize.hpp>

#include <ferry_schema/executorch/program_generated.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::executorch {
namespace detail {

namespace schema = ::executorch_flatbuffer;

inline constexpr std::uint64_t segment_alignment = 128;
inline constexpr std::uint64_t tensor_alignment = 16;
[[nodiscard]] constexpr std::uint64_t padded(std::uint64_t size, std::uint64_t alignment) {
    return (size + alignment - 1) / alignment * alignment;
}

/// Tensors one behind the other.
struct Segment {
    std::span<const at::Tensor> tensors;
    std::vector<std::uint64_t> offsets{0};  ///< the first stands for no tensor
    std::uint64_t size = 0;
    std::uint64_t offset = 0;  ///< behind the flatbuffer

    explicit Segment(const Constants& constants) : tensors(constants.tensors()) {
        for (const at::Tensor& tensor : tensors) {
            size = padded(size, tensor_alignment);
            offsets.push_back(size);
            size += std::max<std::uint64_t>(tensor.nbytes(), 1);  // the runtime takes no segment without bytes
        }
    }
};

class MethodWriter {
public:
    MethodWriter(flatbuffers::FlatBufferBuilder& builder, const Method& method) : builder_(builder), method_(method) {}

    [[nodiscard]] flatbuffers::Offset<schema::ExecutionPlan> write() {
        std::vector<flatbuffers::Offset<schema::EValue>> values;
        values.reserve(method_.values.size());
        for (const MethodValue& value : method_.values) values.push_back(write(value));
        std::vector<flatbuffers::Offset<schema::Operator>> operators;
        for (const Operator& each : method_.operators)
            operators.push_back(schema::CreateOperatorDirect(builder_, each.name.c_str(), each.overload.c_str()));
        std::vector<flatbuffers::Offset<schema::Instruction>> instructions;
        instructions.reserve(method_.instructions.size());
        for (const Instruction& each : method_.instructions) instructions.push_back(write(each));
        const std::vector<std::int32_t> nothing;
        const std::vector<flatbuffers::Offset<schema::BackendDelegate>> delegates;
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
    [[nodiscard]] Written write_instruction(const Move& move) {
        return instruction(schema::CreateMoveCall(builder_, move.from, move.to));
    }
    [[nodiscard]] Written write_instruction(const JumpFalse& jump) {
        return instruction(
            schema::CreateJumpFalseCall(builder_, jump.condition, static_cast<std::int32_t>(jump.destination)));
    }
    template <class Table>
    [[nodiscard]] Written instruction(flatbuffers::Offset<Table> arguments) {
        return schema::CreateInstruction(builder_, schema::InstructionArgumentsTraits<Table>::enum_value,
                                         arguments.Union());
    }

    flatbuffers::FlatBufferBuilder& builder_;
    const Method& method_;
};

inline flatbuffers::Offset<schema::EValue> MethodWriter::write_one(const TensorValue& tensor) {
    std::vector<std::uint8_t> dim_order(tensor.sizes.size());
    for (std::size_t i = 0; i < dim_order.size(); ++i) dim_order[i] = static_cast<std::uint8_t>(i);
    flatbuffers::Offset<schema::AllocationDetails> place;
    if (tensor.buffer >= 0) {
        const Buffer& buffer = method_.buffers[static_cast<std::size_t>(tensor.buffer)];
        constexpr std::uint32_t arena = 1;
        if (buffer.is_planned)
            place = schema::CreateAllocationDetails(builder_, arena, static_cast<std::uint32_t>(buffer.offset),
                                                    static_cast<std::uint32_t>(buffer.offset >> 32U));
    }
    return boxed(schema::CreateTensorDirect(
        builder_, static_cast<schema::ScalarType>(tensor.dtype), 0, &tensor.sizes, &dim_order, false,
        tensor.constant != 0 ? tensor.constant : tensor.initial, place, 0,
        tensor.is_dynamic ? schema::TensorShapeDynamism::DYNAMIC_BOUND : schema::TensorShapeDynamism::STATIC));
}

[[nodiscard]] inline flatbuffers::Offset<schema::SubsegmentOffsets> write_offsets(
    flatbuffers::FlatBufferBuilder& builder, const Segment& segment, std::uint32_t index) {
    return schema::CreateSubsegmentOffsetsDirect(builder, index, &segment.offsets);
}

/// Behind the flatbuffer's first eight bytes: where it ends, and where the segments begin and how long they are.
struct ExtendedHeader {
    static constexpr std::size_t size = 32;
    std::uint64_t program_size, segments_at, segments_size;

    [[nodiscard]] std::array<std::byte, size> bytes() const {
        std::array<std::byte, size> made{};
        constexpr std::uint32_t length = size;
        std::memcpy(made.data(), "eh00", 4);
        std::memcpy(made.data() + 4, &length, 4);
        std::memcpy(made.data() + 8, &program_size, 8);
        std::memcpy(made.data() + 16, &segments_at, 8);
        std::memcpy(made.data() + 24, &segments_size, 8);
        return made;
    }
};

/// Hands on bytes and counts them.
class FileWriter {
public:
    explicit FileWriter(const Sink& sink) : sink_(sink) {}
    void write(std::span<const std::byte> bytes) {
        if (!bytes.empty()) sink_(bytes);
        at_ += bytes.size();
    }
    void pad_to(std::uint64_t offset) {
        static constexpr std::array<std::byte, segment_alignment> gap{};
        while (at_ < offset) write(std::span(gap).first(std::min<std::uint64_t>(gap.size(), offset - at_)));
    }
    void write(const Segment& segment, std::uint64_t base) {
        for (std::size_t i = 0; i < segment.tensors.size(); ++i) {
            pad_to(base + segment.offset + segment.offsets[i + 1]);
            const at::Tensor& tensor = segment.tensors[i];
            write({static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()});
        }
    }
    [[nodiscard]] std::uint64_t size() const noexcept { return at_; }

private:
    const Sink& sink_;
    std::uint64_t at_ = 0;
};

}  // namespace detail

FERRY_INLINE void serialize(const std::vector<Method>& methods, const SharedData& shared, const Sink& sink) {
    using namespace detail;
    meet_library();
    Segment constants(shared.constants), initial(shared.initial_values);
    std::vector<Segment*> segments;
    for (Segment* each : {&constants, &initial})
        if (!each->tensors.empty()) segments.push_back(each);
    flatbuffers::FlatBufferBuilder builder;
    std::vector<flatbuffers::Offset<schema::ExecutionPlan>> plans;
    for (const Method& method : methods) plans.push_back(MethodWriter(builder, method).write());
    std::vector<flatbuffers::Offset<schema::DataSegment>> places;
    std::uint64_t end = 0;
    for (Segment* each : segments) {
        each->offset = padded(end, segment_alignment);
        end = each->offset + each->size;
        places.push_back(schema::CreateDataSegment(builder, each->offset, each->size));
    }
    const auto constant_offsets = write_offsets(builder, constants, 0);
    std::vector<flatbuffers::Offset<schema::SubsegmentOffsets>> mutable_offsets;
    if (!initial.tensors.empty())
        mutable_offsets.push_back(write_offsets(builder, initial, static_cast<std::uint32_t>(segments.size() - 1)));
    const std::vector<flatbuffers::Offset<schema::BackendDelegateInlineData>> no_delegates;
    schema::FinishProgramBuffer(
        builder, schema::CreateProgramDirect(builder, 0, &plans, nullptr, &no_delegates, &places, constant_offsets,
                                             mutable_offsets.empty() ? nullptr : &mutable_offsets));
    const std::span<const std::byte> program(reinterpret_cast<const std::byte*>(builder.GetBufferPointer()),
                                             builder.GetSize());
    constexpr std::size_t start = 8;  // the place of the root, and the identifier
    std::uint32_t root = 0;
    std::memcpy(&root, program.data(), sizeof root);
    root += static_cast<std::uint32_t>(ExtendedHeader::size);
    const std::uint64_t program_size = program.size() + ExtendedHeader::size;
    const std::uint64_t base = segments.empty() ? 0 : padded(program_size, segment_alignment);
    FileWriter output(sink);
    output.write(std::as_bytes(std::span(&root, 1)));
    output.write(program.subspan(sizeof root, start - sizeof root));
    output.write(ExtendedHeader{program_size, base, end}.bytes());
    output.write(program.subspan(start));
    for (const Segment* each : segments) output.write(*each, base);
    if (!segments.empty()) output.pad_to(base + end);
}

}  // namespace ferry::executorch
