#pragma once

#include <ferry/core/error.hpp>
#include <ferry/files/mapped_file.hpp>
#include <ferry/files/zip_reader.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/pt2/read_json.hpp>
#include <ferry/pt2/read_symbols.hpp>
#include <ferry/safetensors/mapped_tensor.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/ScalarType.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::pt2 {

/// A tensor over bytes of a file, once it is certain that it stays within them.
[[nodiscard]] inline at::Tensor strided_over(const at::Tensor& bytes, DType dtype,
                                             const std::vector<std::int64_t>& sizes,
                                             const std::vector<std::int64_t>& strides, std::int64_t offset) {
    const auto element = static_cast<std::int64_t>(c10::elementSize(to_c10(dtype)));
    std::int64_t count = 1, last = offset;
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
        std::int64_t reach = 0;
        if (__builtin_mul_overflow(count, sizes[dim], &count) ||
            (sizes[dim] != 0 && (__builtin_mul_overflow(sizes[dim] - 1, strides[dim], &reach) ||
                                 __builtin_add_overflow(last, reach, &last))))
            damaged("its sizes are too large");
    }
    const auto options = at::TensorOptions(to_c10(dtype));
    if (count == 0) return at::empty(sizes, options);
    if (last >= bytes.numel() / element) damaged("its sizes reach beyond the bytes that it has");
    at::Tensor flat = bytes.narrow(0, 0, bytes.numel() / element * element);
    if (reinterpret_cast<std::uintptr_t>(flat.const_data_ptr()) % static_cast<std::uintptr_t>(element) != 0)
        flat = flat.clone();
    return flat.view(to_c10(dtype)).as_strided(sizes, strides, offset);
}

/// The tensors of one folder of the archive. Their memory is the file's; those that share a payload share memory.
class PayloadReader {
public:
    PayloadReader(const files::ZipReader& archive, std::shared_ptr<const files::MappedFile> file, std::string folder,
                  const Parsed& config)
        : archive_(archive),
          file_(std::move(file)),
          folder_(std::move(folder)),
          config_(object_of(member(config, "config"))) {}

    [[nodiscard]] at::Tensor read(const std::string& target) try {
        const Parsed* found = config_.find(target);
        if (found == nullptr) damaged("its values are missing");
        const Parsed& entry = *found;
        if (flag_of(member(entry, "use_pickle")))
            throw Error(ErrorKind::unsupported, "a tensor is stored as a pickled Python object",
                        {.hint = "save the program with plain tensors as its parameters, buffers and constants"});
        SymbolReader symbols;
        const Parsed& described = member(entry, "tensor_meta");
        const TensorMeta meta = symbols.tensor(described);
        const SymExpr offset = symbols.integer(member(described, "storage_offset"));
        std::vector<std::int64_t> sizes, strides;
        for (const SymExpr& size : meta.sizes) sizes.push_back(constant(size));
        for (const SymExpr& stride : meta.strides) strides.push_back(constant(stride));
        if (meta.layout != Layout::strided) throw Error(ErrorKind::unsupported, "a sparse tensor");
        at::Tensor made = strided_over(payload(std::string(text_of(member(entry, "path_name")))), meta.dtype, sizes,
                                       strides, constant(offset));
        if (meta.requires_grad) {
            if (!is_floating_point(meta.dtype) && !is_complex(meta.dtype)) damaged("integers cannot have gradients");
            if (flag_of(member(entry, "is_param"))) made.set_requires_grad(true);
        }
        return made;
    } catch (const Error& error) {
        throw Error(error.kind(), error.message(), {.hint = error.hint(), .where = {.path = target}});
    }

private:
    [[nodiscard]] static std::int64_t constant(const SymExpr& size) {
        if (!size.is_constant() || size.value() < 0)
            damaged("a stored tensor has a size that is no number of zero or more");
        return size.value();
    }

    [[nodiscard]] const at::Tensor& payload(const std::string& name) {
        const auto [place, is_new] = payloads_.try_emplace(name);
        if (is_new) {
            const auto* entry = archive_.find(folder_ + name);
            if (entry == nullptr) damaged("the archive has no entry '" + folder_ + name + "'");
            place->second = files::tensor_over(files::ZipReader::bytes(*entry), DType::uint8, file_);
        }
        return place->second;
    }

    const files::ZipReader& archive_;
    std::shared_ptr<const files::MappedFile> file_;
    std::string folder_;
    const Parsed& config_;
    std::unordered_map<std::string, at::Tensor> payloads_;
};

}  // namespace ferry::pt2
