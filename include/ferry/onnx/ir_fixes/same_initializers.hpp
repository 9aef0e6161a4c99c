#pragma once

#include <ferry/onnx/ir/model.hpp>
#include <ferry/onnx/ir/replace.hpp>

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ferry::onnx {

/// Initializers with the same numbers in them are one. Those whose ends are alike are compared in full, so that weights are hardly read.
struct same_initializers {
    static constexpr bool optimizes = true;

    static bool fix(Model& model) {
        Replacements values(model);
        std::unordered_multimap<std::string, Ref> seen;
        for (std::uint32_t i = 0; i < model.num_values(); ++i) {
            const at::Tensor& tensor = model[Ref{i}].constant;
            if (!tensor.defined() || !tensor.is_contiguous() || tensor.numel() == 0) continue;
            std::string key = outline(tensor);
            const auto [first, last] = seen.equal_range(key);
            const auto same = std::find_if(first, last, [&](const auto& each) {
                return std::memcmp(model[each.second].constant.const_data_ptr(), tensor.const_data_ptr(),
                                   tensor.nbytes()) == 0;
            });
            if (same != last)
                values.replace(Ref{i}, same->second);
            else
                seen.emplace(std::move(key), Ref{i});
        }
        return values.apply(model);
    }

private:
    [[nodiscard]] static std::string outline(const at::Tensor& tensor) {
        constexpr std::size_t most = 64;
        std::string text(1, static_cast<char>(tensor.scalar_type()));
        for (const std::int64_t size : tensor.sizes()) text.append(std::to_string(size)) += ',';
        const std::string_view bytes(static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes());
        text.append(bytes.substr(0, most)).append(bytes.substr(bytes.size() - std::min(most, bytes.size())));
        return text;
    }
};

}  // namespace ferry::onnx
