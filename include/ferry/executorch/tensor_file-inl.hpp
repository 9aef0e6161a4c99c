#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/alignment.hpp>
#include <ferry/executorch/file_writer.hpp>
#include <ferry/executorch/library.hpp>
#include <ferry/executorch/tensor_file.hpp>

#include <ATen/core/Tensor.h>

#include <ferry_schema/executorch/flat_tensor_generated.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::executorch {
namespace detail {

namespace tensor_schema = ::ferry_schema::flat_tensor_flatbuffer;

/// What stands in the file: bytes, of which several names may speak.
class TensorFile {
public:
    TensorFile(const std::vector<Method>& methods, const SharedData& shared) {
        for (const Method& method : methods)
            for (const MethodValue& value : method.values)
                if (const auto* tensor = std::get_if<TensorValue>(&value))
                    if (std::string name = external_name(*tensor, shared); !name.empty())
                        add(std::move(name), shared.constants.tensors()[tensor->constant - 1], tensor);
        for (std::uint32_t i = 1; i <= shared.weights.tensors().size(); ++i)
            add(weight_name(i), shared.weights.tensors()[i - 1], nullptr);
    }

    void write(const Sink& sink) const {
        const std::vector<std::byte> front = written_front();
        const std::uint64_t base = aligned(front.size(), segment_alignment);
        FileWriter output(sink);
        output.write(front);
        for (std::size_t i = 0; i < tensors_.size(); ++i) output.write(tensors_[i], base + offsets_[i]);
    }

private:
    struct Named {
        std::uint32_t segment;
        const TensorValue* value;  ///< null: bytes, as delegates read them
    };

    void add(std::string name, const at::Tensor& tensor, const TensorValue* value) {
        const auto [known, is_new] = segments_.try_emplace({tensor.const_data_ptr(), tensor.nbytes()},
                                                           static_cast<std::uint32_t>(tensors_.size()));
        if (is_new) {
            offsets_.push_back(aligned(end_, segment_alignment));
            end_ = offsets_.back() + tensor.nbytes();
            tensors_.push_back(tensor);
        }
        named_.try_emplace(std::move(name), Named{known->second, value});
    }

    [[nodiscard]] std::vector<std::byte> written_front() const {
        flatbuffers::FlatBufferBuilder builder;
        std::vector<flatbuffers::Offset<tensor_schema::DataSegment>> segments;
        segments.reserve(tensors_.size());
        for (std::size_t i = 0; i < tensors_.size(); ++i)
            segments.push_back(tensor_schema::CreateDataSegment(builder, offsets_[i], tensors_[i].nbytes()));
        std::vector<flatbuffers::Offset<tensor_schema::NamedData>> names;
        names.reserve(named_.size());
        for (const auto& [name, each] : named_)
            names.push_back(
                tensor_schema::CreateNamedDataDirect(builder, name.c_str(), each.segment, layout(builder, each.value)));
        constexpr std::uint32_t version = 0;
        tensor_schema::FinishFlatTensorBuffer(
            builder, tensor_schema::CreateFlatTensorDirect(builder, version, &segments, &names));
        const std::span<const std::byte> made(reinterpret_cast<const std::byte*>(builder.GetBufferPointer()),
                                              builder.GetSize());
        return with_header(made, header(made.size()));
    }
    [[nodiscard]] static flatbuffers::Offset<tensor_schema::TensorLayout> layout(
        flatbuffers::FlatBufferBuilder& builder, const TensorValue* value) {
        if (value == nullptr) return 0;
        const std::vector<std::uint8_t> order = dim_order(value->sizes.size());
        const auto dtype = static_cast<::ferry_schema::executorch_flatbuffer::ScalarType>(value->dtype);
        return tensor_schema::CreateTensorLayoutDirect(builder, dtype, &value->sizes, &order);
    }

    static constexpr std::uint32_t header_size = 40, header_space = 48;
    [[nodiscard]] std::array<std::byte, header_space> header(std::uint64_t flatbuffer_size) const {
        std::array<std::byte, header_space> made{};
        const std::uint64_t base = aligned(flatbuffer_size + header_space, segment_alignment);
        const std::array<std::uint64_t, 4> numbers{header_space, flatbuffer_size, base, end_};
        std::memcpy(made.data(), "FH01", 4);
        std::memcpy(made.data() + 4, &header_size, 4);
        std::memcpy(made.data() + 8, numbers.data(), sizeof numbers);
        return made;
    }

    std::map<std::pair<const void*, std::size_t>, std::uint32_t> segments_;
    std::vector<at::Tensor> tensors_;
    std::vector<std::uint64_t> offsets_;
    std::uint64_t end_ = 0;
    std::map<std::string, Named> named_;
};

}  // namespace detail

FERRY_INLINE std::string external_name(const TensorValue& value, const SharedData& shared) {
    if (!is_external(value.constant, shared)) return {};
    std::string name = shared.constants.name(value.constant);
    const at::Tensor& tensor = shared.constants.tensors()[value.constant - 1];
    if (std::equal(value.sizes.begin(), value.sizes.end(), tensor.sizes().begin(), tensor.sizes().end())) return name;
    name.push_back(':');
    for (const std::int32_t size : value.sizes) name.append(std::to_string(size)).push_back(',');
    return name;
}

FERRY_INLINE void serialize_tensors(const std::vector<Method>& methods, const SharedData& shared, const Sink& sink) {
    meet_library();
    detail::TensorFile(methods, shared).write(sink);
}

}  // namespace ferry::executorch
