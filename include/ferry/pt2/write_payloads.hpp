#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/pt2/json.hpp>
#include <ferry/pt2/write_symbols.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::pt2 {

/// Tensors of a program as the archive has them: memory by file name, and for each tensor where in it. Tensors that share memory
/// share a file. Nothing is copied that lies in the CPU's memory already.
class Payloads {
public:
    struct File {
        std::string name;
        at::Tensor holder;  ///< keeps the memory
        std::span<const std::byte> bytes;
    };

    Payloads(std::string_view prefix, const SymbolWriter& symbols) : prefix_(prefix), symbols_(symbols) {}

    void count(const at::Tensor& tensor) {
        if (tensor.defined() && tensor.has_storage()) ++users_[tensor.storage().unsafeGetStorageImpl()];
    }

    /// After all tensors have been counted.
    void add(const std::string& target, const at::Tensor& tensor, bool is_parameter) {
        check(target, tensor);
        const at::Tensor stored = storable(tensor);
        const auto [place, is_new] =
            files_by_storage_.try_emplace(stored.storage().unsafeGetStorageImpl(), files_.size());
        if (is_new)
            files_.push_back({prefix_ + std::to_string(files_.size()),
                              stored,
                              {static_cast<const std::byte*>(stored.storage().data()), stored.storage().nbytes()}});
        TensorMeta meta{.dtype = to_dtype(tensor.scalar_type()),
                        .requires_grad = tensor.requires_grad(),
                        .device = to_device(tensor.device())};
        meta.sizes.assign(stored.sizes().begin(), stored.sizes().end());
        meta.strides.assign(stored.strides().begin(), stored.strides().end());
        Json entry = Json::object();
        entry.put("path_name", files_[place->second].name);
        entry.put("is_param", is_parameter);
        entry.put("use_pickle", false);
        entry.put("tensor_meta", symbols_.tensor(meta, stored.storage_offset()));
        config_.put(target, entry);
    }

    [[nodiscard]] const std::vector<File>& files() const noexcept { return files_; }
    [[nodiscard]] Json config() const { return tagged("config", config_); }

private:
    static void check(const std::string& target, const at::Tensor& tensor) {
        const auto refuse = [&](const char* what, const char* hint) {
            throw Error(ErrorKind::unsupported, what, {.hint = hint, .where = {.path = target}});
        };
        if (!tensor.defined()) refuse("a tensor of the program is undefined", "");
        if (tensor.is_meta())
            refuse("a tensor of the program has no values: it is on the meta device", "load the model's weights first");
        if (tensor.layout() != at::kStrided || tensor.is_quantized() || !tensor.has_storage())
            refuse("a sparse or quantized tensor cannot be written to a .pt2 file", "");
    }

    /// The tensor itself, unless its memory is elsewhere, is lazily changed, or belongs for the most part to nobody.
    [[nodiscard]] at::Tensor storable(const at::Tensor& tensor) const {
        at::Tensor plain = tensor.detach();
        if (!plain.device().is_cpu()) plain = plain.cpu();
        if (plain.is_conj() || plain.is_neg()) plain = plain.resolve_conj().resolve_neg();
        const auto users = users_.find(plain.storage().unsafeGetStorageImpl());
        const bool shared = users != users_.end() && users->second > 1;
        if (!shared && static_cast<std::size_t>(plain.nbytes()) != plain.storage().nbytes())
            plain = plain.clone(at::MemoryFormat::Contiguous);
        return plain;
    }

    std::string prefix_;
    const SymbolWriter& symbols_;
    std::unordered_map<const void*, std::size_t> users_;
    std::unordered_map<const void*, std::size_t> files_by_storage_;
    std::vector<File> files_;
    Json config_ = Json::object();
};

}  // namespace ferry::pt2
