#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/verify/executorch_interface.hpp>
#include <ferry/verify/executorch_platform.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/scalar_tensor.h>
#include <executorch/runtime/core/data_loader.h>
#include <executorch/runtime/core/hierarchical_allocator.h>
#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/executor/memory_manager.h>
#include <executorch/runtime/executor/method.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// ExecuTorch's runtime, as a library that is loaded while a program runs: a source that includes this makes it. Both have much of the same
/// name that is not the same, XNNPACK above all; so what is linked to libtorch is not linked to the runtime.
namespace ferry::runtime {
namespace detail {

namespace et = ::executorch::runtime;

inline void check(et::Error error, const std::string& what) {
    const std::string why = RuntimeComplaint::take();
    if (error == et::Error::Ok) return;
    const bool is_missing =
        error == et::Error::OperatorMissing || error == et::Error::NotSupported || error == et::Error::NotImplemented;
    throw Error(is_missing ? ErrorKind::unsupported : ErrorKind::invalid_input,
                "ExecuTorch's runtime: " + what + ": " + (why.empty() ? et::to_string(error) : why));
}

template <class Value>
[[nodiscard]] Value taken(et::Result<Value> result, const std::string& what) {
    check(result.error(), what);
    return std::move(result.get());
}

/// A file that is in memory.
class MemoryLoader final : public et::DataLoader {
public:
    explicit MemoryLoader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    et::Result<et::FreeableBuffer> load(std::size_t offset, std::size_t size, const SegmentInfo&) const override {
        if (!has(offset, size)) return et::Error::InvalidArgument;
        return et::FreeableBuffer(bytes_.data() + offset, size, nullptr);
    }
    et::Error load_into(std::size_t offset, std::size_t size, const SegmentInfo&, void* buffer) const override {
        if (!has(offset, size)) return et::Error::InvalidArgument;
        if (size != 0) std::memcpy(buffer, bytes_.data() + offset, size);
        return et::Error::Ok;
    }
    et::Result<std::size_t> size() const override { return bytes_.size(); }

private:
    [[nodiscard]] bool has(std::size_t offset, std::size_t size) const {
        return offset <= bytes_.size() && size <= bytes_.size() - offset;
    }

    std::span<const std::byte> bytes_;
};

/// Memory by the piece, all of it given back at once.
class HeapAllocator final : public et::MemoryAllocator {
public:
    HeapAllocator() : et::MemoryAllocator(0, nullptr) {}

    /// Null where there is not so much.
    void* allocate(std::size_t size, std::size_t alignment = kDefaultAlignment) override {
        std::size_t space = size + alignment;
        if (space < size) return nullptr;
        void* start = pieces_.emplace_back(new (std::nothrow) std::byte[space]).get();
        return start == nullptr ? nullptr : std::align(alignment, size, start, space);
    }
    void reset() override { pieces_.clear(); }

private:
    std::vector<std::unique_ptr<std::byte[]>> pieces_;
};

/// The memory that a file plans for a method.
class PlannedMemory {
public:
    explicit PlannedMemory(const et::MethodMeta& meta) {
        for (std::size_t i = 0; i < meta.num_memory_planned_buffers(); ++i) {
            const auto bytes = static_cast<std::size_t>(taken(meta.memory_planned_buffer_size(i), "planned memory"));
            void* const arena = memory_.allocate(bytes);
            if (arena == nullptr)
                throw Error(ErrorKind::unsupported,
                            "ExecuTorch's runtime: there is no memory of " + std::to_string(bytes) + " bytes",
                            {.hint = "the file plans for its largest sizes: limit them in the export"});
            arenas_.push_back({static_cast<std::uint8_t*>(arena), bytes});
        }
    }
    [[nodiscard]] et::Span<et::Span<std::uint8_t>> arenas() { return {arenas_.data(), arenas_.size()}; }

private:
    HeapAllocator memory_;
    std::vector<et::Span<std::uint8_t>> arenas_;
};

/// A dense tensor of the CPU as the runtime has it: the same memory.
class RuntimeTensor {
public:
    explicit RuntimeTensor(const at::Tensor& tensor)
        : dense_(tensor.detach().cpu().contiguous()),
          sizes_(dense_.sizes().begin(), dense_.sizes().end()),
          order_(sizes_.size()),
          strides_(dense_.strides().begin(), dense_.strides().end()),
          impl_(static_cast<et::etensor::ScalarType>(to_dtype(dense_.scalar_type())), dense_.dim(), sizes_.data(),
                dense_.data_ptr(), order_.data(), strides_.data()) {
        std::iota(order_.begin(), order_.end(), std::uint8_t{0});
    }
    RuntimeTensor(const RuntimeTensor&) = delete;
    RuntimeTensor& operator=(const RuntimeTensor&) = delete;

    [[nodiscard]] et::EValue value() { return et::EValue(et::etensor::Tensor(&impl_)); }

private:
    at::Tensor dense_;
    std::vector<et::etensor::TensorImpl::SizesType> sizes_;
    std::vector<et::etensor::TensorImpl::DimOrderType> order_;
    std::vector<et::etensor::TensorImpl::StridesType> strides_;
    et::etensor::TensorImpl impl_;
};

/// A copy: the next run writes to the same memory.
[[nodiscard]] inline at::Tensor to_tensor(const et::etensor::Tensor& tensor) {
    const std::vector<std::int64_t> sizes(tensor.sizes().begin(), tensor.sizes().end());
    const at::Tensor made = at::empty(sizes, to_c10(static_cast<DType>(tensor.scalar_type())));
    if (made.nbytes() != 0) std::memcpy(made.data_ptr(), tensor.const_data_ptr(), made.nbytes());
    return made;
}

/// A method of a file in memory, which outlives it.
class LoadedMethod {
public:
    LoadedMethod(std::span<const std::byte> file, const std::string& method)
        : loader_(started(file)),
          program_(taken(et::Program::load(&loader_, et::Program::Verification::InternalConsistency), "the file")),
          planned_(taken(program_.method_meta(method.c_str()), "the method '" + method + "'")),
          arenas_(planned_.arenas()),
          memory_(&method_memory_, &arenas_, &temporary_memory_),
          method_(taken(program_.load_method(method.c_str(), &memory_), "the method '" + method + "'")) {}
    LoadedMethod(const LoadedMethod&) = delete;
    LoadedMethod& operator=(const LoadedMethod&) = delete;

    [[nodiscard]] std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs) {
        const std::size_t count = method_.inputs_size();
        if (inputs.size() != count)
            throw Error(ErrorKind::invalid_input, "the method takes " + std::to_string(count) + " inputs, " +
                                                      std::to_string(inputs.size()) + " were given");
        std::deque<RuntimeTensor> given;
        for (std::size_t i = 0; i < count; ++i) set_input(i, inputs[i], given);
        const std::vector<at::Tensor> unplanned = bring_outputs();
        check(method_.execute(), "the run");
        std::vector<at::Tensor> results;
        for (std::size_t i = 0; i < method_.outputs_size(); ++i)
            if (auto result = output(method_.get_output(i))) results.push_back(std::move(*result));
        return results;
    }

private:
    [[nodiscard]] static std::span<const std::byte> started(std::span<const std::byte> file) {
        et::runtime_init();
        RuntimeComplaint::listen();
        return file;
    }
    void set_input(std::size_t index, const at::Tensor& tensor, std::deque<RuntimeTensor>& keep) {
        const std::string what = "input " + std::to_string(index);
        const auto value = [&]() -> et::EValue {
            switch (taken(method_.method_meta().input_tag(index), what)) {
                case et::Tag::Int: return et::EValue(tensor.item<std::int64_t>());
                case et::Tag::Double: return et::EValue(tensor.item<double>());
                case et::Tag::Bool: return et::EValue(tensor.item<bool>());
                default: return keep.emplace_back(tensor).value();
            }
        };
        check(method_.set_input(value(), index), what);
    }
    /// Memory for outputs that the file has planned none for.
    [[nodiscard]] std::vector<at::Tensor> bring_outputs() {
        std::vector<at::Tensor> memory;
        const et::MethodMeta meta = method_.method_meta();
        for (std::size_t i = 0; i < meta.num_outputs(); ++i) {
            const auto tensor = meta.output_tensor_meta(i);
            if (!tensor.ok() || tensor->is_memory_planned()) continue;
            memory.push_back(at::empty({static_cast<std::int64_t>(tensor->nbytes())}, at::kByte));
            check(method_.set_output_data_ptr(memory.back().data_ptr(), tensor->nbytes(), i),
                  "output " + std::to_string(i));
        }
        return memory;
    }
    [[nodiscard]] static std::optional<at::Tensor> output(const et::EValue& value) {
        if (value.isTensor()) return to_tensor(value.toTensor());
        if (value.isInt()) return at::scalar_tensor(value.toInt(), at::kLong);
        if (value.isDouble()) return at::scalar_tensor(value.toDouble(), at::kDouble);
        if (value.isBool()) return at::scalar_tensor(value.toBool(), at::kBool);
        return std::nullopt;
    }

    MemoryLoader loader_;
    et::Program program_;
    PlannedMemory planned_;
    et::HierarchicalAllocator arenas_;
    HeapAllocator method_memory_, temporary_memory_;
    et::MemoryManager memory_;
    et::Method method_;
};

}  // namespace detail
}  // namespace ferry::runtime

extern "C" [[gnu::visibility("default"), gnu::weak]] const ferry::runtime::ExecutorchInterface*
ferry_executorch_interface() {
    using ferry::runtime::detail::LoadedMethod;
    static constexpr ferry::runtime::ExecutorchInterface interface{
        [](std::span<const std::byte> file, const std::string& method) -> void* {
            return new LoadedMethod(file, method);
        },
        [](void* method, const std::vector<at::Tensor>& inputs) {
            return static_cast<LoadedMethod*>(method)->run(inputs);
        },
        [](void* method) { delete static_cast<LoadedMethod*>(method); }};
    return &interface;
}
