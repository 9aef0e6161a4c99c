#pragma once

#include <ferry/core/error.hpp>

#include <flatbuffers/flatbuffers.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ferry::executorch {

/// A flatbuffer from outside, checked before anything of it is read. It is copied, so that it lies where its numbers are aligned.
template <class Table>
class Flatbuffer {
public:
    /// Without an identifier: whatever it says that it is.
    Flatbuffer(std::span<const std::byte> bytes, const char* identifier, const std::string& what)
        : bytes_(bytes.begin(), bytes.end()) {
        const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes_.data());
        constexpr flatbuffers::uoffset_t depth = 64, tables = 10'000'000;
        if (bytes_.size() >= FLATBUFFERS_MAX_BUFFER_SIZE ||
            !flatbuffers::Verifier(data, bytes_.size(), depth, tables).VerifyBuffer<Table>(identifier))
            throw Error(ErrorKind::bad_file, what + " is damaged, or not complete");
    }
    [[nodiscard]] const Table* operator->() const { return flatbuffers::GetRoot<Table>(bytes_.data()); }

private:
    std::vector<std::byte> bytes_;
};

/// Vectors that are left out have no items.
template <class Item>
[[nodiscard]] flatbuffers::uoffset_t count(const flatbuffers::Vector<Item>* items) {
    return items == nullptr ? 0 : items->size();
}

/// An item that a file speaks of by its number.
template <class Item, class Index>
[[nodiscard]] auto item(const flatbuffers::Vector<Item>* items, Index index, const char* what) {
    if (!std::in_range<flatbuffers::uoffset_t>(index) || static_cast<flatbuffers::uoffset_t>(index) >= count(items))
        throw Error(ErrorKind::bad_file, std::string("there is no ") + what + ' ' + std::to_string(index));
    return items->Get(static_cast<flatbuffers::uoffset_t>(index));
}

[[nodiscard]] inline std::string text(const flatbuffers::String* string) {
    return string == nullptr ? std::string() : string->str();
}

}  // namespace ferry::executorch
