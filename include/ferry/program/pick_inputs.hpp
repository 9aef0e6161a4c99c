#pragma once

#include <ferry/core/error.hpp>
#include <ferry/program/exported_program.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry {

/// A place for one of a model's inputs.
struct InputSlot {
    enum class Kind : std::uint8_t { tensor, number, fixed };

    std::string path{};   ///< "past_key_values.0.keys"
    std::string alias{};  ///< what the graph calls it, where that is another name
    Kind kind = Kind::tensor;  ///< positions count tensors only; what is fixed cannot be given
    bool required = true;
    std::string type = "Tensor";  ///< Python's word for it
    std::string note{};           ///< what else there is to say about it
};

namespace detail {

/// Names for people, and not too many of them.
class NameList {
public:
    void add(std::string_view name) {
        if (++count_ > 40) return;
        text_.append(text_.empty() ? "" : ", ").append(name);
    }
    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
    [[nodiscard]] std::string text() const {
        return count_ > 40 ? text_ + " and " + std::to_string(count_ - 40) + " more" : text_;
    }

private:
    std::string text_;
    std::size_t count_ = 0;
};

[[nodiscard]] inline std::string describe(std::span<const InputSlot> slots) {
    NameList names;
    std::size_t position = 0;
    for (const InputSlot& slot : slots) {
        std::string text = slot.kind == InputSlot::Kind::tensor ? std::to_string(position++) + " = " : "";
        text += slot.path;
        if (slot.kind != InputSlot::Kind::tensor || !slot.note.empty()) {
            text.append(" (").append(slot.type);
            if (!slot.note.empty()) text.append(", ").append(slot.note);
            text += ')';
        }
        names.add(text);
    }
    return names.empty() ? "there are none" : names.text();
}

/// Which slot a key means.
class SlotIndex {
public:
    explicit SlotIndex(std::span<const InputSlot> slots) {
        for (std::size_t i = 0; i < slots.size(); ++i) {
            if (slots[i].kind != InputSlot::Kind::fixed) by_name_.emplace(slots[i].path, i);
            if (slots[i].kind == InputSlot::Kind::tensor) tensors_.push_back(i);
        }
        for (std::size_t i = 0; i < slots.size(); ++i)  // a path goes before the alias of another
            if (slots[i].kind != InputSlot::Kind::fixed && !slots[i].alias.empty()) by_name_.emplace(slots[i].alias, i);
    }

    [[nodiscard]] std::optional<std::size_t> find(const std::string& key) const {
        if (!key.empty() && key.size() < 10 && key.find_first_not_of("0123456789") == std::string::npos) {
            const std::size_t position = std::stoul(key);
            const bool fits = position < tensors_.size() && std::to_string(position) == key;
            return fits ? std::optional(tensors_[position]) : std::nullopt;
        }
        const auto found = by_name_.find(key);
        return found == by_name_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    std::unordered_map<std::string_view, std::size_t> by_name_;
    std::vector<std::size_t> tensors_;
};

}  // namespace detail

/// For each slot the tensor that is given for it, undefined where that is left out. A key is the path of a slot, its alias, or its
/// position among the slots for tensors. All that does not fit together is one Error.
[[nodiscard]] inline std::vector<at::Tensor> pick_inputs(std::span<const InputSlot> slots, const NamedTensors& given) {
    const detail::SlotIndex index(slots);
    std::vector<at::Tensor> picked(slots.size());
    detail::NameList unknown, twice, missing;
    for (const auto& [key, tensor] : given) {
        const auto slot = index.find(key);
        if (!slot)
            unknown.add(key);
        else if (picked[*slot].defined())
            twice.add(slots[*slot].path);
        else
            picked[*slot] = tensor;
    }
    for (std::size_t i = 0; i < slots.size(); ++i)
        if (slots[i].required && !picked[i].defined()) missing.add(slots[i].path);
    std::string wrong;
    for (const auto& [what, names] : {std::pair{"missing: ", &missing}, {"unknown: ", &unknown}, {"twice: ", &twice}})
        if (!names->empty()) wrong.append(wrong.empty() ? "" : "; ").append(what).append(names->text());
    if (!wrong.empty())
        throw Error(ErrorKind::invalid_input, "the inputs given are not those of the model; " + wrong,
                    {.hint = "its inputs are, by position or name: " + detail::describe(slots)});
    return picked;
}

/// The one number that a tensor holds, for an input that is no tensor.
[[nodiscard]] inline Leaf number_in(const at::Tensor& tensor, const std::string& path) {
    if (tensor.numel() != 1 || tensor.is_complex())
        throw Error(ErrorKind::invalid_input, "this input is a number, given as a tensor of one element",
                    {.where = {.path = path}});
    if (tensor.scalar_type() == at::kBool) return tensor.item().toBool();
    if (tensor.is_floating_point()) return tensor.item().toDouble();
    return tensor.item().toLong();
}

}  // namespace ferry
