#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/weights.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::models {
namespace detail {

class WeightStore {
public:
    WeightStore(std::unordered_map<std::string, at::Tensor> tensors, std::optional<at::ScalarType> dtype)
        : tensors_(std::move(tensors)), dtype_(dtype) {}

    [[nodiscard]] bool has(const std::string& name) const { return tensors_.contains(name); }
    void ignore(std::string name) { taken_.insert(std::move(name)); }

    [[nodiscard]] at::Tensor take(const std::string& name, at::IntArrayRef sizes) {
        taken_.insert(name);
        const auto found = tensors_.find(name);
        if (found == tensors_.end()) {
            missing_.push_back(name);
            if (missing_.size() > most_missing) finish();  // a config may speak of any number of layers
            return absent(sizes);
        }
        if (found->second.sizes() != sizes) {
            std::ostringstream told;
            told << name << ": " << found->second.sizes() << " instead of " << sizes;
            misshapen_.push_back(told.str());
            return absent(sizes);
        }
        const bool is_cast = dtype_ && found->second.is_floating_point() && found->second.scalar_type() != *dtype_;
        if (is_cast) found->second = found->second.to(*dtype_);  // once, for all who share it
        return found->second;
    }

    void finish() const {
        std::set<std::string> unexpected;
        for (const auto& [name, tensor] : tensors_)
            if (!taken_.contains(name)) unexpected.insert(name);
        std::string told;
        const auto tell = [&](const char* what, const auto& names) {
            if (names.empty()) return;
            told.append("\n  ").append(what);
            std::size_t shown = 0;
            for (const std::string& name : names) {
                if (++shown > most_shown) {
                    told.append("\n    and ").append(std::to_string(names.size() - most_shown)).append(" more");
                    break;
                }
                told.append("\n    ").append(name);
            }
        };
        tell("missing:", missing_);
        tell("of other sizes:", misshapen_);
        tell("that the model does not have:", unexpected);
        if (!told.empty())
            throw Error(ErrorKind::bad_file, "the checkpoint's weights are not those of the model" + told,
                        {.hint = "config.json and the weights must be of the same model"});
    }

private:
    static constexpr std::size_t most_shown = 20, most_missing = 10000;

    /// Stands for a tensor until finish() tells that it is not there.
    [[nodiscard]] static at::Tensor absent(at::IntArrayRef sizes) {
        constexpr std::int64_t longest = 1 << 24;
        const bool is_possible =
            std::all_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size >= 0 && size <= longest; });
        if (!is_possible) {
            std::ostringstream told;
            told << "config.json asks for a weight of the sizes " << sizes;
            throw Error(ErrorKind::bad_file, told.str());
        }
        return at::empty(sizes, at::TensorOptions(at::kMeta));
    }

    std::unordered_map<std::string, at::Tensor> tensors_;
    std::optional<at::ScalarType> dtype_;
    std::set<std::string> taken_;
    std::vector<std::string> missing_, misshapen_;
};

}  // namespace detail

FERRY_INLINE std::string Weights::full(std::string_view name) const {
    return prefix_.empty() ? std::string(name) : prefix_ + "." + std::string(name);
}
FERRY_INLINE Weights Weights::operator/(std::string_view name) const { return Weights(store_, full(name)); }
FERRY_INLINE at::Tensor Weights::take(std::string_view name, at::IntArrayRef sizes) const {
    return store_->take(full(name), sizes);
}
FERRY_INLINE bool Weights::has(std::string_view name) const { return store_->has(full(name)); }
FERRY_INLINE void Weights::ignore(std::string_view name) const { store_->ignore(full(name)); }
FERRY_INLINE void Weights::finish() const { store_->finish(); }

}  // namespace ferry::models
