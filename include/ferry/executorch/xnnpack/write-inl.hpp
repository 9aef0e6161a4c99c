#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/executorch/alignment.hpp>
#include <ferry/executorch/xnnpack/header.hpp>
#include <ferry/executorch/xnnpack/write.hpp>

#include <ferry_schema/executorch/runtime_schema_generated.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace ferry::executorch::xnnpack {
namespace detail {

namespace schema = ::ferry_schema::fb_xnnpack;

class Writer {
public:
    explicit Writer(const Delegate& delegate) : delegate_(delegate) {}

    [[nodiscard]] std::vector<std::byte> write(const std::vector<std::string>& weight_names) {
        std::vector<flatbuffers::Offset<schema::XNode>> nodes;
        nodes.reserve(delegate_.operations.size());
        for (const Operation& each : delegate_.operations) nodes.push_back(write(each));
        std::vector<flatbuffers::Offset<schema::XValue>> values;
        std::vector<std::uint32_t> inputs, outputs;
        for (Ref ref = 0; ref < delegate_.operands.size(); ++ref) {
            const Operand& operand = delegate_.operands[ref];
            values.push_back(write(ref, operand));
            if (operand.external != nothing) (operand.is_output ? outputs : inputs).push_back(operand.external);
        }
        std::vector<flatbuffers::Offset<schema::ConstantDataOffset>> constants{
            schema::CreateConstantDataOffset(builder_, 0, 0)};  // the first stands for none
        for (std::size_t i = 0; i < weight_names.size(); ++i)
            constants.push_back(schema::CreateConstantDataOffsetDirect(
                builder_, UINT64_MAX, delegate_.weights[i].tensor.nbytes(), weight_names[i].c_str()));
        const auto externals = static_cast<std::uint32_t>(inputs.size() + outputs.size());
        schema::FinishXNNGraphBuffer(
            builder_, schema::CreateXNNGraphDirect(builder_, "0", &nodes, &values, externals, &inputs, &outputs,
                                                   nullptr, nullptr, &constants));
        return with_header();
    }

private:
    [[nodiscard]] std::vector<std::byte> with_header() const {
        Header header{.graph_size = static_cast<std::uint32_t>(builder_.GetSize())};
        header.constants_at =
            static_cast<std::uint32_t>(aligned(header.graph_at + header.graph_size, Header::alignment));
        std::vector<std::byte> bytes(header.constants_at + Header::alignment);
        header.write(bytes);
        std::memcpy(bytes.data() + header.graph_at, builder_.GetBufferPointer(), header.graph_size);
        return bytes;
    }

    [[nodiscard]] flatbuffers::Offset<schema::XValue> write(Ref ref, const Operand& operand) {
        constexpr std::uint32_t is_input = 1, is_output = 2;
        const std::uint32_t flags = operand.external == nothing ? 0 : operand.is_output ? is_output : is_input;
        const auto tensor = schema::CreateXNNTensorValueDirect(
            builder_, schema::XNNDatatype::xnn_datatype_fp32, static_cast<std::uint32_t>(operand.sizes.size()),
            &operand.sizes, operand.constant, operand.external, flags, ref);
        return schema::CreateXValue(builder_, schema::XValueUnion::XNNTensorValue, tensor.Union());
    }

    [[nodiscard]] flatbuffers::Offset<schema::XNode> write(const Operation& each) {
        const auto body = write_body(each);
        flatbuffers::Offset<schema::OutputMinMax> limits;
        if (std::isfinite(each.low) || std::isfinite(each.high))
            limits = schema::CreateOutputMinMax(builder_, each.low, each.high);
        return schema::CreateXNode(builder_, each.op, body, 0, limits);
    }
    [[nodiscard]] flatbuffers::Offset<void> write_body(const Operation& each);

    const Delegate& delegate_;
    flatbuffers::FlatBufferBuilder builder_;
};

inline flatbuffers::Offset<void> Writer::write_body(const Operation& each) {
    const auto dims = static_cast<std::uint32_t>(each.list.size());
    const auto input = [&](std::size_t i) { return i < each.inputs.size() ? each.inputs[i] : nothing; };
    const Window& w = each.window;
    switch (each.op) {
        case Op::XNNAdd:
        case Op::XNNSubtract:
        case Op::XNNMultiply:
        case Op::XNNDiv:
        case Op::XNNMaximum:
        case Op::XNNMinimum:
        case Op::XNNPReLU:
        case Op::XNNBatchMatrixMultiply:
            return schema::Create_XNNNode2x1(builder_, input(0), input(1), each.output, each.flags).Union();
        case Op::XNNConcatenate2:
        case Op::XNNConcatenate3:
        case Op::XNNConcatenate4:
        case Op::XNNConcatenate5:
            return schema::Create_XNNCat(builder_, static_cast<std::uint32_t>(each.number), input(0), input(1),
                                         input(2), input(3), each.output, each.flags, input(4))
                .Union();
        case Op::XNNFullyConnected:
            return schema::CreateXNNFullyConnected(builder_, input(0), input(1), input(2), each.output, each.flags)
                .Union();
        case Op::XNNConv2d:
        case Op::XNNDepthwiseConv2d:
        case Op::XNNConvTranspose2d:
            return schema::Create_XNNNodeConv(builder_, w.padding[0], w.padding[1], w.padding[0], w.padding[1],
                                              w.kernel[0], w.kernel[1], w.stride[0], w.stride[1], w.dilation[0],
                                              w.dilation[1], w.group_inputs, w.group_outputs, w.groups, w.adjustment[0],
                                              w.adjustment[1], input(0), input(1), input(2), each.output, each.flags)
                .Union();
        case Op::XNNMaxPooling2d:
        case Op::XNNAvgPooling2d:
            return schema::Create_XNNPooling2D(builder_, w.padding[0], w.padding[1] + w.more_behind[1],
                                               w.padding[0] + w.more_behind[0], w.padding[1], w.kernel[0], w.kernel[1],
                                               w.stride[0], w.stride[1], w.dilation[0], w.dilation[1], input(0),
                                               each.output, each.flags)
                .Union();
        case Op::XNNStaticTranspose:
            return schema::CreateXNNStaticTransposeDirect(builder_, dims, &each.list, input(0), each.output, each.flags)
                .Union();
        case Op::XNNStaticReshape:
            return schema::CreateXNNStaticReshapeDirect(builder_, dims, &each.list, input(0), each.output, each.flags)
                .Union();
        case Op::XNNStaticSlice:
            return schema::CreateXNNStaticSliceDirect(builder_, dims, &each.list, &each.second_list, input(0),
                                                      each.output, each.flags)
                .Union();
        case Op::XNNStaticConstantPad:
            return schema::CreateXNNStaticConstantPadDirect(builder_, &each.list, &each.second_list, each.number,
                                                            input(0), each.output, each.flags)
                .Union();
        case Op::XNNStaticResizeBilinear2D:
            return schema::CreateXNNStaticResizeBilinear2D(builder_, each.list.at(0), each.list.at(1), input(0),
                                                           each.output, each.flags)
                .Union();
        case Op::XNNELU: return schema::CreateXNNELU(builder_, each.number, input(0), each.output, each.flags).Union();
        case Op::XNNLeakyReLU:
            return schema::CreateXNNLeakyReLU(builder_, each.number, input(0), each.output, each.flags).Union();
        default: return schema::Create_XNNNode1x1(builder_, input(0), each.output, each.flags).Union();
    }
}

}  // namespace detail

FERRY_INLINE std::vector<std::byte> write(const Delegate& delegate, const std::vector<std::string>& weight_names) {
    return detail::Writer(delegate).write(weight_names);
}

}  // namespace ferry::executorch::xnnpack
