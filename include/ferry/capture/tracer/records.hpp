#pragma once

#include <ferry/capture/op_info.hpp>
#include <ferry/graph/value.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>
#include <c10/util/flat_hash_map.h>

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Addresses of the fake tensors of earlier runs. Nothing that the model had before the first of them has one of these.
using Fakes = ska::flat_hash_set<const c10::TensorImpl*>;

inline constexpr std::uint32_t no_record = UINT32_MAX;

/// A tensor that the model holds. Views know what they are a view of and how they were made from it, so that a write to
/// one of a family reaches the others: up by inverting the views, down by making them again.
struct Record {
    at::Tensor held;                    // the model's own handle: keeps its address from being used again
    at::Tensor fake;                    // what ops run on; the same unless the model's tensor has data
    Value value{};                      // as of version `seen` of the root
    std::uint32_t root = no_record;     // the first of the family
    std::uint32_t parent = no_record;   // what this is a view of
    std::uint32_t made_by = no_record;  // the view op in the trace,
    std::uint32_t made_from = 0;        // which of its arguments is the parent,
    std::uint32_t made_as = 0;          // and which of its outputs this is
    std::uint32_t version = 0;          // of a root: how often the family was written to
    std::uint32_t seen = 0;
    std::uint32_t neighbour = no_record;  // another record of the same storage
    Value original{};                     // of a root that came from outside: what it was at first
    bool constant = false;  // made in forward from nothing but constants: its data is known, and stays real
    std::uint32_t memory = no_record;  // of a constant: the call of empty() that it comes from
};

/// How a view of a constant was made, for when the constant becomes a value of the graph.
struct ConstantView {
    OpInfo* info;
    torch::jit::Stack arguments;
    std::uint32_t made_as;
};

[[nodiscard]] inline const c10::StorageImpl* storage_of(const at::Tensor& tensor) {
    return tensor.has_storage() ? tensor.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl() : nullptr;
}

/// All tensors of one run, found by their address or by their storage.
class Records {
public:
    [[nodiscard]] Record& operator[](std::uint32_t index) { return all_[index]; }
    [[nodiscard]] const Record& operator[](std::uint32_t index) const { return all_[index]; }
    [[nodiscard]] auto begin() const { return all_.begin(); }
    [[nodiscard]] auto end() const { return all_.end(); }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(all_.size()); }
    void reserve(std::size_t count) {
        all_.reserve(count);
        index_.reserve(count);
        newest_of_storage_.reserve(count);
    }

    std::uint32_t add(const at::Tensor& held, const at::Tensor& fake, Value value) {
        const std::uint32_t index = size();
        all_.push_back({.held = held, .fake = fake, .value = value, .root = index});
        know(held, index);
        know(fake, index);
        if (const auto* storage = storage_of(fake)) {
            const auto [newest, is_first] = newest_of_storage_.emplace(storage, index);
            if (!is_first) all_[index].neighbour = std::exchange(newest->second, index);
        }
        return index;
    }
    /// One that no address leads to.
    std::uint32_t add_unnamed(Record record) {
        all_.push_back(std::move(record));
        return size() - 1;
    }
    void make_view(std::uint32_t index, std::uint32_t parent, std::uint32_t made_by, std::uint32_t made_from,
                   std::uint32_t made_as) {
        Record& view = all_[index];
        view.root = all_[parent].root;
        view.parent = parent;
        view.made_by = made_by;
        view.made_from = made_from;
        view.made_as = made_as;
        view.seen = all_[view.root].version;
    }

    /// By its address.
    [[nodiscard]] std::uint32_t find(const at::Tensor& tensor) const {
        const auto found = index_.find(tensor.unsafeGetTensorImpl());
        return found != index_.end() ? found->second : no_record;
    }
    /// libtorch sometimes hands the same tensor on in another wrapper (torch::tensor(), tensor.data()).
    [[nodiscard]] std::uint32_t find_same(const at::Tensor& tensor) const {
        for (std::uint32_t at = newest_of(tensor); at != no_record; at = all_[at].neighbour) {
            const at::Tensor& known = all_[at].fake;
            if (known.sizes() == tensor.sizes() && known.strides() == tensor.strides() &&
                known.dtype() == tensor.dtype() && known.storage_offset() == tensor.storage_offset())
                return at;
        }
        return no_record;
    }
    /// The last one with this tensor's storage; the others follow as neighbours.
    [[nodiscard]] std::uint32_t newest_of(const at::Tensor& tensor) const {
        const auto newest = newest_of_storage_.find(storage_of(tensor));
        return newest != newest_of_storage_.end() ? newest->second : no_record;
    }

    /// From now on found by this tensor too, which its record keeps or somebody else does.
    void know(const at::Tensor& tensor, std::uint32_t index) { index_[tensor.unsafeGetTensorImpl()] = index; }
    void know_and_keep(const at::Tensor& tensor, std::uint32_t index) {
        kept_.push_back(tensor);
        know(tensor, index);
    }

    [[nodiscard]] std::unordered_map<std::uint32_t, ConstantView>& constant_views() noexcept { return constant_views_; }

private:
    std::vector<Record> all_;
    ska::flat_hash_map<const c10::TensorImpl*, std::uint32_t> index_;
    ska::flat_hash_map<const c10::StorageImpl*, std::uint32_t> newest_of_storage_;
    std::vector<at::Tensor> kept_;
    std::unordered_map<std::uint32_t, ConstantView> constant_views_;
};

}  // namespace ferry::capture
