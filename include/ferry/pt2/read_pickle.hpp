#pragma once

#include <ferry/core/error.hpp>
#include <ferry/files/mapped_file.hpp>
#include <ferry/files/zip_reader.hpp>
#include <ferry/pt2/read_payloads.hpp>
#include <ferry/tree/leaf.hpp>
#include <ferry/tree/spec.hpp>

#include <ATen/core/Tensor.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::pt2 {

/// Reads what torch.save wrote, if it consists of Python's own containers, numbers, texts and tensors. A pickle is a program; this
/// one runs none of it: every other name or step in it is an error.
class PickleReader {
public:
    PickleReader(std::span<std::byte> saved, std::shared_ptr<const files::MappedFile> file)
        : zip_(saved), file_(std::move(file)) {
        if (zip_.entries().empty()) damaged("nothing is pickled");
        const std::string& first = zip_.entries()[0].name;
        root_ = first.substr(0, first.find('/') + 1);
    }

    /// The leaves of the value, which must be nested as the spec says.
    [[nodiscard]] std::vector<Leaf> read(const TreeSpec& spec) {
        code_ = files::ZipReader::checked_bytes(entry("data.pkl"));
        std::vector<Leaf> leaves;
        leaves.reserve(spec.num_leaves());
        collect(run(), spec, leaves);
        return leaves;
    }

private:
    struct Item;
    using Items = std::shared_ptr<const std::vector<Item>>;
    struct Mark {};
    struct Name {
        std::string text;
    };
    struct Storage {
        std::string key;
        DType dtype = DType::float32;
    };
    struct Group {
        TreeSpec::Kind kind = TreeSpec::Kind::tuple;
        Items items{};  ///< of a dict: key, value, key, value, ...
    };
    struct Item {
        std::variant<Leaf, Mark, Name, Storage, Group> value;
        std::uint64_t weight = 1;  ///< with all that is inside: one small thing may be meant many times
    };
    static constexpr std::uint64_t max_weight = 100'000;

    [[noreturn]] static void give_up(const std::string& what) {
        throw Error(ErrorKind::unsupported, "the pickled value is not made of plain Python values: " + what);
    }
    [[nodiscard]] const files::ZipReader::Entry& entry(const std::string& name) const {
        const auto* found = zip_.find(root_ + name);
        if (found == nullptr) damaged("'" + name + "' is missing from what is pickled");
        return *found;
    }

    // The code.
    [[nodiscard]] std::span<const std::byte> take(std::size_t count) {
        if (count > code_.size() - at_) damaged("a pickle is cut short");
        at_ += count;
        return code_.subspan(at_ - count, count);
    }
    [[nodiscard]] std::uint64_t unsigned_number(std::size_t bytes) {
        std::uint64_t number = 0;
        std::size_t shift = 0;
        for (const std::byte each : take(bytes)) number |= static_cast<std::uint64_t>(each) << (8 * shift++);
        return number;
    }
    [[nodiscard]] std::string text(std::size_t count) {
        const auto bytes = take(count);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    [[nodiscard]] std::string line() {
        std::string made;
        for (char c = 0; (c = static_cast<char>(take(1)[0])) != '\n';) made += c;
        return made;
    }

    // The stack.
    void push(Item item) { stack_.push_back(std::move(item)); }
    [[nodiscard]] Item pop() {
        if (stack_.empty()) damaged("a pickle takes what it has not given");
        Item item = std::move(stack_.back());
        stack_.pop_back();
        return item;
    }
    [[nodiscard]] std::vector<Item> pop_to_mark() {
        std::size_t first = stack_.size();
        while (first > 0 && !std::holds_alternative<Mark>(stack_[first - 1].value)) --first;
        if (first == 0) damaged("a pickle ends a group that it has not begun");
        const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(first);
        std::vector<Item> items(std::make_move_iterator(begin), std::make_move_iterator(stack_.end()));
        stack_.erase(begin - 1, stack_.end());
        return items;
    }
    [[nodiscard]] static Item group(TreeSpec::Kind kind, std::vector<Item> items) {
        std::uint64_t weight = 1;
        for (const Item& item : items) weight += item.weight;
        if (weight > max_weight) give_up("it is too large");
        return {Group{kind, std::make_shared<const std::vector<Item>>(std::move(items))}, weight};
    }
    void push_tuple(std::size_t count) {
        std::vector<Item> items(count);
        while (count-- > 0) items[count] = pop();
        push(group(TreeSpec::Kind::tuple, std::move(items)));
    }
    void extend(TreeSpec::Kind kind, std::vector<Item> more) {
        const Item whole = pop();
        const auto* old = std::get_if<Group>(&whole.value);
        if (old == nullptr || old->kind != kind) damaged("a pickle adds to what is no container");
        std::vector<Item> items = *old->items;
        items.insert(items.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
        push(group(kind, std::move(items)));
    }

    [[nodiscard]] Item run() {
        for (;;) {
            const auto step = static_cast<unsigned char>(take(1)[0]);
            switch (step) {
                case 0x80: static_cast<void>(take(1)); break;  // protocol
                case '.': return pop();
                case '(': push({Mark{}}); break;
                case ')': push(group(TreeSpec::Kind::tuple, {})); break;
                case 't': push(group(TreeSpec::Kind::tuple, pop_to_mark())); break;
                case 0x85: push_tuple(1); break;
                case 0x86: push_tuple(2); break;
                case 0x87: push_tuple(3); break;
                case ']': push(group(TreeSpec::Kind::list, {})); break;
                case '}': push(group(TreeSpec::Kind::dict, {})); break;
                case 'e': {
                    auto items = pop_to_mark();
                    extend(TreeSpec::Kind::list, std::move(items));
                    break;
                }
                case 'a': {
                    Item item = pop();
                    extend(TreeSpec::Kind::list, {std::move(item)});
                    break;
                }
                case 'u': {
                    auto items = pop_to_mark();
                    extend(TreeSpec::Kind::dict, std::move(items));
                    break;
                }
                case 's': {
                    Item value = pop(), key = pop();
                    extend(TreeSpec::Kind::dict, {std::move(key), std::move(value)});
                    break;
                }
                case 'N': push({Leaf()}); break;
                case 0x88: push({Leaf(true)}); break;
                case 0x89: push({Leaf(false)}); break;
                case 'K': push({Leaf(static_cast<std::int64_t>(unsigned_number(1)))}); break;
                case 'M': push({Leaf(static_cast<std::int64_t>(unsigned_number(2)))}); break;
                case 'J': push({Leaf(std::int64_t{static_cast<std::int32_t>(unsigned_number(4))})}); break;
                case 0x8a: push({Leaf(long_integer())}); break;
                case 'G': {
                    std::uint64_t bits = 0;
                    for (const std::byte each : take(8)) bits = bits << 8 | static_cast<std::uint64_t>(each);
                    push({Leaf(std::bit_cast<double>(bits))});
                    break;
                }
                case 'X': push({Leaf(text(static_cast<std::size_t>(unsigned_number(4))))}); break;
                case 'c': {
                    std::string module = line();
                    push({Name{std::move(module) + '.' + line()}});
                    break;
                }
                case 'q': remember(unsigned_number(1)); break;
                case 'r': remember(unsigned_number(4)); break;
                case 'h': recall(unsigned_number(1)); break;
                case 'j': recall(unsigned_number(4)); break;
                case 'Q': push({storage(pop())}); break;
                case 'R': {
                    const Item arguments = pop();
                    push(call(pop(), arguments));
                    break;
                }
                default: give_up("step " + std::to_string(step));
            }
        }
    }

    [[nodiscard]] std::int64_t long_integer() {
        const auto size = static_cast<std::size_t>(unsigned_number(1));
        if (size == 0) return 0;
        if (size > 8) give_up("an integer of more than 64 bits");
        const std::uint64_t number = unsigned_number(size);
        const auto unused = 64 - 8 * size;
        return static_cast<std::int64_t>(number << unused) >> unused;
    }
    void remember(std::uint64_t place) {
        if (stack_.empty()) damaged("a pickle remembers what it has not given");
        memory_.insert_or_assign(place, stack_.back());
    }
    void recall(std::uint64_t place) {
        const auto found = memory_.find(place);
        if (found == memory_.end()) damaged("a pickle recalls what it has not remembered");
        push(found->second);
    }

    // What is more than plain values: tensors.
    [[nodiscard]] static const std::vector<Item>& items_of(const Item& item) {
        const auto* found = std::get_if<Group>(&item.value);
        if (found == nullptr) give_up("a container is expected");
        return *found->items;
    }
    template <class Type>
    [[nodiscard]] static const Type& leaf_of(const Item& item) {
        const auto* leaf = std::get_if<Leaf>(&item.value);
        const auto* found = leaf != nullptr ? leaf->get_if<Type>() : nullptr;
        if (found == nullptr) give_up("a value of another type is expected");
        return *found;
    }

    /// ('storage', class, key, device, number of elements)
    [[nodiscard]] static Storage storage(const Item& id) {
        constexpr std::pair<std::string_view, DType> classes[] = {{"torch.FloatStorage", DType::float32},
                                                                  {"torch.DoubleStorage", DType::float64},
                                                                  {"torch.HalfStorage", DType::float16},
                                                                  {"torch.BFloat16Storage", DType::bfloat16},
                                                                  {"torch.LongStorage", DType::int64},
                                                                  {"torch.IntStorage", DType::int32},
                                                                  {"torch.ShortStorage", DType::int16},
                                                                  {"torch.CharStorage", DType::int8},
                                                                  {"torch.ByteStorage", DType::uint8},
                                                                  {"torch.BoolStorage", DType::boolean},
                                                                  {"torch.ComplexFloatStorage", DType::complex64},
                                                                  {"torch.ComplexDoubleStorage", DType::complex128}};
        const auto& parts = items_of(id);
        if (parts.size() != 5) give_up("a storage is described in another way");
        const auto* name = std::get_if<Name>(&parts[1].value);
        for (const auto& [word, dtype] : classes)
            if (name != nullptr && name->text == word) return {leaf_of<std::string>(parts[2]), dtype};
        give_up("a storage of another class");
    }

    [[nodiscard]] Item call(const Item& function, const Item& arguments) {
        const auto* name = std::get_if<Name>(&function.value);
        if (name == nullptr) give_up("a value is called");
        const auto& given = items_of(arguments);
        if (name->text == "collections.OrderedDict" && given.empty()) return group(TreeSpec::Kind::dict, {});
        if (name->text != "torch._utils._rebuild_tensor_v2" || given.size() < 5) give_up(name->text);
        const auto* stored = std::get_if<Storage>(&given[0].value);
        if (stored == nullptr) give_up("a tensor without storage");
        const auto numbers = [](const Item& item) {
            std::vector<std::int64_t> made;
            for (const Item& each : items_of(item)) {
                made.push_back(leaf_of<std::int64_t>(each));
                if (made.back() < 0) damaged("a tensor with a negative size or stride");
            }
            return made;
        };
        const auto sizes = numbers(given[2]), strides = numbers(given[3]);
        const std::int64_t offset = leaf_of<std::int64_t>(given[1]);
        if (sizes.size() != strides.size() || offset < 0) damaged("a tensor whose sizes and strides do not agree");
        const auto bytes =
            files::tensor_over(files::ZipReader::bytes(entry("data/" + stored->key)), DType::uint8, file_);
        return {Leaf(strided_over(bytes, stored->dtype, sizes, strides, offset))};
    }

    void collect(const Item& item, const TreeSpec& spec, std::vector<Leaf>& leaves) const {
        if (spec.is_leaf()) {
            const auto* leaf = std::get_if<Leaf>(&item.value);
            if (leaf == nullptr) give_up("a leaf is expected");
            return leaves.push_back(*leaf);
        }
        const auto* found = std::get_if<Group>(&item.value);
        if (found == nullptr || found->kind != spec.kind()) give_up("it is nested in another way");
        const bool is_dict = spec.kind() == TreeSpec::Kind::dict;
        const auto& items = *found->items;
        if (items.size() != spec.children().size() * (is_dict ? 2 : 1)) give_up("it is nested in another way");
        for (std::size_t i = 0; i < spec.children().size(); ++i) {
            if (is_dict && !(spec.keys()[i] == tree::Context(leaf_of<std::string>(items[2 * i]))))
                give_up("it has other keys");
            collect(items[is_dict ? 2 * i + 1 : i], spec.children()[i], leaves);
        }
    }

    files::ZipReader zip_;
    std::shared_ptr<const files::MappedFile> file_;
    std::string root_;
    std::span<const std::byte> code_;
    std::size_t at_ = 0;
    std::vector<Item> stack_;
    std::unordered_map<std::uint64_t, Item> memory_;
};

}  // namespace ferry::pt2
