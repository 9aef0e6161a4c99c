#pragma once

#include <ferry/graph/scalar_types.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// A method as ExecuTorch's runtime executes it, before it is written: values by number, and instructions over them.
namespace ferry::executorch {
namespace xnnpack {

struct Delegate;

}  // namespace xnnpack

/// A value of a method.
using Id = std::int32_t;
inline constexpr Id no_value = -1;

/// A piece of the memory that is planned for a method; views of one tensor share it.
struct Buffer {
    std::uint64_t bytes = 0;
    std::size_t first = 0;  ///< the instructions between which it holds something
    std::size_t last = 0;
    bool is_planned = true;  ///< false: whoever calls the method brings the memory
    std::uint64_t offset = 0;
};

struct TensorValue {
    static constexpr std::int32_t no_buffer = -1;

    DType dtype = DType::float32;
    std::vector<std::int32_t> sizes{};  ///< of a dynamic one the largest
    bool is_dynamic = false;
    std::uint32_t constant = 0;         ///< of the weights that never change; 0: it is none of them
    std::uint32_t initial = 0;          ///< of the tensors that a method writes to: what they begin with
    std::int32_t buffer = no_buffer;
};
struct IntList {
    std::vector<Id> items;
};
struct DoubleList {
    std::vector<double> items;
};
struct BoolList {
    std::vector<bool> items;
};
struct TensorList {
    std::vector<Id> items;
};
struct OptionalTensorList {
    std::vector<Id> items;  ///< no_value: there is none
};
using MethodValue = std::variant<std::monostate, std::int64_t, bool, double, std::string, TensorValue, IntList,
                                 DoubleList, BoolList, TensorList, OptionalTensorList>;

/// Everything that may be called: the parts of "aten::add.out".
struct Operator {
    std::string name;
    std::string overload;
};

struct KernelCall {
    std::uint32_t op;  ///< in Method::operators
    std::vector<Id> args;
};
/// Values that a delegate reads, then those that it writes.
struct DelegateCall {
    std::uint32_t delegate;  ///< in Method::delegates
    std::vector<Id> args;
};
struct Move {
    Id from;
    Id to;
};
struct JumpFalse {
    Id condition;
    std::size_t destination;  ///< an instruction
};
using Instruction = std::variant<KernelCall, DelegateCall, Move, JumpFalse>;

/// A part of the method that XNNPACK computes.
struct DelegateData {
    std::shared_ptr<const xnnpack::Delegate> delegate;
    std::vector<std::uint32_t> weights;  ///< the numbers that the delegate's weights have in SharedData
};

struct Method {
    std::string name{};
    std::vector<MethodValue> values{};
    std::vector<Id> inputs{};
    std::vector<Id> outputs{};
    std::vector<Operator> operators{};
    std::vector<DelegateData> delegates{};
    std::vector<Instruction> instructions{};
    std::vector<Buffer> buffers{};
    std::uint64_t planned_bytes = 0;

    [[nodiscard]] Id add(MethodValue value) {
        values.push_back(std::move(value));
        return static_cast<Id>(values.size() - 1);
    }
    [[nodiscard]] TensorValue& tensor(Id id) { return std::get<TensorValue>(values.at(static_cast<std::size_t>(id))); }
};

}  // namespace ferry::executorch
