// Ferry 0.1.0: ferry/pt2.hpp. Generated from include/ferry by `make single-include`: do not edit.

#pragma once

#include <ferry/ferry.hpp>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>
namespace ferry {
namespace detail {
inline void define_op(const op_name& op, std::string_view schema, torch::CppFunction kernel) {
	static std::mutex mutex;
	static std::vector<std::unique_ptr<torch::Library>> libraries;
	const std::scoped_lock lock(mutex);
	if (find_op(op.text())) return;
	const std::string name(op.text().substr(op.text().find("::") + 2));
	auto library = std::make_unique<torch::Library>(torch::Library::FRAGMENT, std::string(op.qualifier()), std::nullopt,
		__FILE__, __LINE__);
	library->def((name + std::string(schema)).c_str());
	library->impl(name.c_str(), torch::dispatch(c10::DispatchKey::CompositeImplicitAutograd, std::move(kernel)));
	libraries.push_back(std::move(library));
}
template <class Entry>
struct bind_library_op {
	static_assert(Entry::target.size() == 1, "ferry: a library op is one op");
	static constexpr auto value =
		+[] { define_op(Entry::target[0], Entry::schema, torch::CppFunction::makeFromUnboxedFunction(&Entry::call)); };
};
}
using ProvideOp = void (*)(std::string_view op);
template <class LibraryOps>
void provide_op(std::string_view op) {
	if (const auto define = op_table<LibraryOps>::template function<void (*)(), detail::bind_library_op>(op)) define();
}
}
#include <c10/core/Device.h>
#include <filesystem>
#include <optional>
namespace ferry {
struct LoadOptions {
	std::string model{};
	std::optional<c10::Device> device{};
};
namespace pt2 {
[[nodiscard]] ExportedProgram load_program(const std::filesystem::path& path, const LoadOptions& options,
		ProvideOp provide);
void provide_known_op(std::string_view op);
}
namespace detail {
template <class LibraryOps>
void provide_op_of([[maybe_unused]] std::string_view op) {
	if constexpr (LibraryOps::size != 0) {
		static_assert(op_table<concat_t<default_library_ops, LibraryOps>>::no_clash);
		provide_op<LibraryOps>(op);
	}
	pt2::provide_known_op(op);
}
}
template <class LibraryOps = library_ops<>>
[[nodiscard]] ExportedProgram load(const std::filesystem::path& path, const LoadOptions& options = {}) {
	static_assert(entry_list<LibraryOps>, "ferry: load takes a list of ops, e.g. ferry::library_ops<my_op>");
	return pt2::load_program(path, options, &detail::provide_op_of<LibraryOps>);
}
}
namespace ferry {
void save(const ExportedProgram& program, const std::filesystem::path& path);
}
#include <ATen/core/Tensor.h>
#include <bit>
#include <map>
#include <utility>
namespace ferry::safetensors {
static_assert(std::endian::native == std::endian::little,
		"ferry: the format is little-endian, and so must the machine be");
struct Contents {
	std::vector<std::pair<std::string, at::Tensor>> tensors{};
	std::map<std::string, std::string> metadata{};
	[[nodiscard]] const at::Tensor* find(std::string_view name) const noexcept {
		for (const auto& [each, tensor] : tensors)
		if (each == name) return &tensor;
		return nullptr;
	}
};
[[nodiscard]] Contents load(const std::filesystem::path& path);
}
namespace ferry::safetensors {
void save(const std::filesystem::path& path, const std::vector<std::pair<std::string, at::Tensor>>& tensors,
		const std::map<std::string, std::string>& metadata = {});
}
#if !defined(FERRY_COMPILED) || defined(FERRY_COMPILED_SOURCE)
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
namespace ferry::files {
namespace detail {
inline constexpr auto crc32_tables = [] {
	std::array<std::array<std::uint32_t, 256>, 16> tables{};
	for (std::uint32_t i = 0; i < 256; ++i) {
		std::uint32_t value = i;
		for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (0xEDB88320U & (0U - (value & 1U)));
		tables[0][i] = value;
	}
	for (std::size_t k = 1; k < tables.size(); ++k)
		for (std::size_t i = 0; i < 256; ++i)
		tables[k][i] = (tables[k - 1][i] >> 8) ^ tables[0][tables[k - 1][i] & 0xFFU];
	return tables;
}();
#if defined(__x86_64__)
__attribute__((target("pclmul,sse4.1"))) inline std::uint32_t crc32_folded(const std::byte* at, std::size_t size,
		std::uint32_t crc) noexcept {
	const auto load = [](const std::byte* from) __attribute__((target("pclmul,sse4.1"))) {
		return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
	};
	const auto fold = [](__m128i value, __m128i by, __m128i next) __attribute__((target("pclmul,sse4.1"))) {
		return _mm_xor_si128(
		_mm_xor_si128(_mm_clmulepi64_si128(value, by, 0x00), _mm_clmulepi64_si128(value, by, 0x11)), next);
	};
	const __m128i by_64_bytes = _mm_set_epi64x(0x01C6E41596, 0x0154442BD4);
	const __m128i by_16_bytes = _mm_set_epi64x(0x00CCAA009E, 0x01751997D0);
	__m128i a = _mm_xor_si128(load(at), _mm_cvtsi32_si128(static_cast<int>(crc)));
	__m128i b = load(at + 16), c = load(at + 32), d = load(at + 48);
	for (at += 64, size -= 64; size >= 64; at += 64, size -= 64) {
		a = fold(a, by_64_bytes, load(at));
		b = fold(b, by_64_bytes, load(at + 16));
		c = fold(c, by_64_bytes, load(at + 32));
		d = fold(d, by_64_bytes, load(at + 48));
	}
	a = fold(fold(fold(a, by_16_bytes, b), by_16_bytes, c), by_16_bytes, d);
	for (; size >= 16; at += 16, size -= 16) a = fold(a, by_16_bytes, load(at));
	const __m128i low_words = _mm_setr_epi32(-1, 0, -1, 0);
	a = _mm_xor_si128(_mm_clmulepi64_si128(a, by_16_bytes, 0x10), _mm_srli_si128(a, 8));
	a = _mm_xor_si128(_mm_clmulepi64_si128(_mm_and_si128(a, low_words), _mm_set_epi64x(0, 0x0163CD6124), 0x00),
		_mm_srli_si128(a, 4));
	const __m128i reduction = _mm_set_epi64x(0x01F7011641, 0x01DB710641);
	const __m128i quotient =
		_mm_and_si128(_mm_clmulepi64_si128(_mm_and_si128(a, low_words), reduction, 0x10), low_words);
	a = _mm_xor_si128(_mm_clmulepi64_si128(quotient, reduction, 0x00), a);
	return static_cast<std::uint32_t>(_mm_extract_epi32(a, 1));
}
#endif
[[nodiscard]] inline std::uint32_t crc32_by_tables(const std::byte* at, std::size_t left, std::uint32_t crc) noexcept {
	const auto& tables = crc32_tables;
	for (; left >= 16; left -= 16, at += 16) {
		std::array<std::uint8_t, 16> block;
		std::memcpy(block.data(), at, 16);
		for (std::size_t i = 0; i < 4; ++i) block[i] ^= static_cast<std::uint8_t>(crc >> (8 * i));
		crc = 0;
		for (std::size_t i = 0; i < 16; ++i) crc ^= tables[15 - i][block[i]];
	}
	for (; left != 0; --left, ++at) crc = (crc >> 8) ^ tables[0][(crc ^ static_cast<std::uint32_t>(*at)) & 0xFFU];
	return crc;
}
}
[[nodiscard]] inline std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc = 0) noexcept {
	crc = ~crc;
	std::size_t done = 0;
#if defined(__x86_64__)
	static const bool folds = __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("sse4.1") != 0;
	if (folds && bytes.size() >= 64) {
		done = bytes.size() / 16 * 16;
		crc = detail::crc32_folded(bytes.data(), done, crc);
	}
#endif
	crc = detail::crc32_by_tables(bytes.data() + done, bytes.size() - done, crc);
	return ~crc;
}
}
namespace ferry::files::zip {
inline constexpr std::uint32_t local_header = 0x04034B50, central_header = 0x02014B50, end_record = 0x06054B50,
		end_record64 = 0x06064B50, end_locator64 = 0x07064B50;
inline constexpr std::size_t local_header_size = 30, central_header_size = 46, end_record_size = 22,
		end_record64_size = 56, end_locator64_size = 20;
inline constexpr std::uint16_t zip64_field = 0x0001;
inline constexpr std::uint32_t in_zip64 = 0xFFFFFFFF;
inline constexpr std::uint16_t many = 0xFFFF;
template <class Number>
[[nodiscard]] Number number_at(std::span<const std::byte> bytes, std::size_t place) noexcept {
	std::uint64_t value = 0;
	for (std::size_t i = sizeof(Number); i-- > 0;) value = value << 8 | static_cast<std::uint64_t>(bytes[place + i]);
	return static_cast<Number>(value);
}
class Record {
public:
	template <class Number>
	Record& add(Number value) {
		for (std::size_t i = 0; i < sizeof(Number); ++i)
		bytes_.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i)));
		return *this;
	}
	Record& add_text(std::string_view text) {
		for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
		return *this;
	}
	Record& add_filler(std::size_t count) {
		bytes_.resize(bytes_.size() + count);
		return *this;
	}
	[[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }
private:
	std::vector<std::byte> bytes_;
};
}
#include <functional>
#include <unordered_map>
namespace ferry::files {
class ZipReader {
public:
	struct Entry {
		std::string name{};
		std::span<std::byte> stored{};
		std::uint64_t size = 0;       
		std::uint32_t crc = 0;
		std::uint16_t method = 0;
		bool encrypted = false;
	};
	explicit ZipReader(std::span<std::byte> archive) : archive_(archive) { read_directory(); }
	[[nodiscard]] std::span<const Entry> entries() const noexcept { return entries_; }
	[[nodiscard]] const Entry* find(std::string_view name) const {
		const auto found = by_name_.find(std::string(name));
		return found == by_name_.end() ? nullptr : &entries_[found->second];
	}
	[[nodiscard]] static std::span<std::byte> bytes(const Entry& entry);
	[[nodiscard]] static std::span<std::byte> checked_bytes(const Entry& entry) {
		const auto found = bytes(entry);
		if (crc32(found) != entry.crc)
		throw Error(ErrorKind::bad_file, "an entry of the archive is damaged: its checksum is another one",
		{.where = {.path = entry.name}});
		return found;
	}
private:
	struct Directory {
		std::uint64_t count = 0, size = 0, start = 0;
	};
	[[noreturn]] static void fail(const std::string& what, std::string_view where = {}) {
		throw Error(ErrorKind::bad_file, "this is not a readable zip archive: " + what,
		{.where = {.path = std::string(where)}});
	}
	[[nodiscard]] static bool fits(std::uint64_t place, std::uint64_t size, std::uint64_t end) noexcept {
		return place <= end && size <= end - place;
	}
	template <class Number>
	[[nodiscard]] Number at(std::uint64_t place) const noexcept {
		return zip::number_at<Number>(archive_, static_cast<std::size_t>(place));
	}
	[[nodiscard]] Directory find_directory() const;
	void read_directory();
	void read_zip64(Entry& entry, std::uint64_t& stored_size, std::uint64_t& local,
		std::span<const std::byte> extra) const;
	void find_stored(Entry& entry, std::uint64_t stored_size, std::uint64_t local, std::uint64_t end) const;
	std::span<std::byte> archive_;
	std::vector<Entry> entries_;
	std::unordered_map<std::string, std::size_t> by_name_;
};
inline std::span<std::byte> ZipReader::bytes(const Entry& entry) {
	if (entry.encrypted || entry.method != 0)
		throw Error(
		ErrorKind::unsupported,
		std::string("an entry of the archive is ") + (entry.encrypted ? "encrypted" : "compressed"),
		{.hint = "archives that torch writes hold their entries as they are: pack it again without compression",
		.where = {.path = entry.name}});
	if (entry.stored.size() != entry.size) fail("an entry has two different sizes", entry.name);
	return entry.stored;
}
inline ZipReader::Directory ZipReader::find_directory() const {
	if (archive_.size() < zip::end_record_size) fail("it is too short");
	const std::size_t last = archive_.size() - zip::end_record_size;
	const std::size_t first = last > 0xFFFF ? last - 0xFFFF : 0;
	std::size_t end = last + 1;
	while (end-- > first)
		if (at<std::uint32_t>(end) == zip::end_record &&
		end + zip::end_record_size + at<std::uint16_t>(end + 20) == archive_.size())
		break;
	if (end + 1 == first || end > last) fail("it has no end record");
	Directory found{at<std::uint16_t>(end + 10), at<std::uint32_t>(end + 12), at<std::uint32_t>(end + 16)};
	const bool wide = found.count == zip::many || found.size == zip::in_zip64 || found.start == zip::in_zip64;
	std::uint64_t limit = end;
	if (wide && end >= zip::end_locator64_size &&
		at<std::uint32_t>(end - zip::end_locator64_size) == zip::end_locator64) {
		const auto place = at<std::uint64_t>(end - zip::end_locator64_size + 8);
		if (!fits(place, zip::end_record64_size, end - zip::end_locator64_size) ||
		at<std::uint32_t>(place) != zip::end_record64)
		fail("its zip64 end record is missing");
		found = {at<std::uint64_t>(place + 32), at<std::uint64_t>(place + 40), at<std::uint64_t>(place + 48)};
		limit = place;
	}
	if (!fits(found.start, found.size, limit)) fail("its directory lies outside");
	if (found.count > found.size / zip::central_header_size) fail("its directory is shorter than its entries");
	return found;
}
inline void ZipReader::read_directory() {
	const Directory directory = find_directory();
	entries_.reserve(static_cast<std::size_t>(directory.count));
	std::uint64_t place = directory.start;
	const std::uint64_t end = directory.start + directory.size;
	for (std::uint64_t i = 0; i < directory.count; ++i) {
		if (!fits(place, zip::central_header_size, end) || at<std::uint32_t>(place) != zip::central_header)
		fail("entry " + std::to_string(i) + " of its directory is damaged");
		const auto name_size = at<std::uint16_t>(place + 28);
		const auto extra_size = at<std::uint16_t>(place + 30);
		const std::uint64_t variable = std::uint64_t{name_size} + extra_size + at<std::uint16_t>(place + 32);
		if (!fits(place + zip::central_header_size, variable, end))
		fail("entry " + std::to_string(i) + " of its directory is cut short");
		const auto text = std::span<const std::byte>(archive_).subspan(
		static_cast<std::size_t>(place) + zip::central_header_size, std::size_t{name_size} + extra_size);
		Entry entry{.name = std::string(reinterpret_cast<const char*>(text.data()), name_size),
		.size = at<std::uint32_t>(place + 24),
		.crc = at<std::uint32_t>(place + 16),
		.method = at<std::uint16_t>(place + 10),
		.encrypted = (at<std::uint16_t>(place + 8) & 1U) != 0};
		std::uint64_t stored_size = at<std::uint32_t>(place + 20);
		std::uint64_t local = at<std::uint32_t>(place + 42);
		read_zip64(entry, stored_size, local, text.subspan(name_size));
		find_stored(entry, stored_size, local, directory.start);
		if (!by_name_.emplace(entry.name, entries_.size()).second) fail("two entries have one name", entry.name);
		entries_.push_back(std::move(entry));
		place += zip::central_header_size + variable;
	}
}
inline void ZipReader::read_zip64(Entry& entry, std::uint64_t& stored_size, std::uint64_t& local,
		std::span<const std::byte> extra) const {
	if (entry.size != zip::in_zip64 && stored_size != zip::in_zip64 && local != zip::in_zip64) return;
	while (extra.size() >= 4) {
		const auto kind = zip::number_at<std::uint16_t>(extra, 0);
		const std::size_t size = zip::number_at<std::uint16_t>(extra, 2);
		extra = extra.subspan(4);
		if (size > extra.size()) break;
		if (kind == zip::zip64_field) {
		std::size_t place = 0;
		for (std::uint64_t* number : {&entry.size, &stored_size, &local}) {
		if (*number != zip::in_zip64) continue;
		if (place + 8 > size) fail("a zip64 field is cut short", entry.name);
		*number = zip::number_at<std::uint64_t>(extra, place);
		place += 8;
		}
		return;
		}
		extra = extra.subspan(size);
	}
}
inline void ZipReader::find_stored(Entry& entry, std::uint64_t stored_size, std::uint64_t local,
		std::uint64_t end) const {
	if (!fits(local, zip::local_header_size, end) || at<std::uint32_t>(local) != zip::local_header)
		fail("an entry is not where the directory says", entry.name);
	const auto name_size = at<std::uint16_t>(local + 26);
	const std::uint64_t start = local + zip::local_header_size + name_size + at<std::uint16_t>(local + 28);
	if (!fits(start, stored_size, end)) fail("an entry reaches outside", entry.name);
	const auto name = archive_.subspan(static_cast<std::size_t>(local) + zip::local_header_size, name_size);
	if (!algo::equal(name, entry.name, [](std::byte a, char b) { return a == static_cast<std::byte>(b); }))
		fail("an entry has two different names", entry.name);
	entry.stored = archive_.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(stored_size));
}
}
namespace ferry::files {
[[nodiscard]] inline std::string torch_root(const ZipReader& zip) {
	if (zip.entries().empty()) return {};
	const std::string& first = zip.entries()[0].name;
	return first.substr(0, first.find('/') + 1);
}
[[nodiscard]] inline bool is_program_before_2_9(const ZipReader& zip) {
	const std::string mark = "serialized_exported_program.json";
	return zip.find(mark) != nullptr || zip.find(torch_root(zip) + mark) != nullptr;
}
}
#include <algorithm>
#include <charconv>
#include <deque>
#include <system_error>
namespace ferry::files {
class JsonValue {
public:
	enum class Kind : std::uint8_t { null, boolean, integer, real, text, list, object };
	struct Member;
	JsonValue() = default;
	explicit JsonValue(bool value) : kind_(Kind::boolean), boolean_(value) {}
	explicit JsonValue(std::int64_t value) : kind_(Kind::integer), integer_(value) {}
	explicit JsonValue(double value) : kind_(Kind::real), real_(value) {}
	explicit JsonValue(std::string_view text) : kind_(Kind::text), size_(text.size()), text_(text.data()) {}
	explicit JsonValue(std::span<const JsonValue> items)
		: kind_(Kind::list), size_(items.size()), items_(items.data()) {}
	explicit JsonValue(std::span<const Member> members);
	[[nodiscard]] Kind kind() const noexcept { return kind_; }
	[[nodiscard]] bool is(Kind kind) const noexcept { return kind_ == kind; }
	[[nodiscard]] bool boolean() const noexcept { return boolean_; }
	[[nodiscard]] std::int64_t integer() const noexcept { return integer_; }
	[[nodiscard]] double real() const noexcept { return real_; }
	[[nodiscard]] std::string_view text() const noexcept { return {text_, size_}; }
	[[nodiscard]] std::span<const JsonValue> items() const noexcept { return {items_, size_}; }
	[[nodiscard]] std::span<const Member> members() const noexcept;
	[[nodiscard]] const JsonValue* find(std::string_view key) const;
private:
	Kind kind_ = Kind::null;
	std::size_t size_ = 0;
	union {
		bool boolean_;
		std::int64_t integer_ = 0;
		double real_;
		const char* text_;
		const JsonValue* items_;
		const Member* members_;
	};
};
struct JsonValue::Member {
	std::string_view key;
	JsonValue value;
};
inline JsonValue::JsonValue(std::span<const Member> members)
	: kind_(Kind::object), size_(members.size()), members_(members.data()) {}
inline std::span<const JsonValue::Member> JsonValue::members() const noexcept { return {members_, size_}; }
inline const JsonValue* JsonValue::find(std::string_view key) const {
	const auto all = members();
	const auto found = std::lower_bound(all.begin(), all.end(), key,
		[](const Member& each, std::string_view wanted) { return each.key < wanted; });
	return found != all.end() && found->key == key ? &found->value : nullptr;
}
class JsonDocument {
public:
	explicit JsonDocument(std::string_view text, std::size_t most = 1024) : scanner_(text), most_(most) {
		root_ = value(0);
		scanner_.finish();
	}
	[[nodiscard]] const JsonValue& root() const noexcept { return root_; }
private:
	[[nodiscard]] JsonValue value(std::size_t depth) {
		if (depth > most_) throw Error(ErrorKind::bad_file, "the file's JSON is nested too deeply");
		switch (scanner_.peek_behind_space()) {
		case '{': return object(depth);
		case '[': return list(depth);
		case '"': return JsonValue(kept(scanner_.string(unescaped_)));
		default: break;
		}
		if (scanner_.take("null")) return {};
		if (scanner_.take("true")) return JsonValue(true);
		if (scanner_.take("false")) return JsonValue(false);
		return number();
	}
	[[nodiscard]] JsonValue number() {
		const auto [text, is_integer] = scanner_.number();
		const char *const begin = text.data(), *const end = begin + text.size();
		if (std::int64_t integer = 0; is_integer && std::from_chars(begin, end, integer).ec == std::errc{})
		return JsonValue(integer);
		double real = 0;
		if (std::from_chars(begin, end, real).ec != std::errc{}) scanner_.fail("a number out of range");
		return JsonValue(real);
	}
	[[nodiscard]] std::string_view kept(std::string_view text) {
		return text.data() == unescaped_.data() ? texts_.emplace_back(text) : text;
	}
	[[nodiscard]] JsonValue list(std::size_t depth) {
		const std::size_t first = open_items_.size();
		if (!scanner_.is_empty(']')) {
		do {
		open_items_.push_back(value(depth + 1));
		} while (scanner_.goes_on(']'));
		}
		return JsonValue(std::span<const JsonValue>(close(open_items_, first, lists_)));
	}
	[[nodiscard]] JsonValue object(std::size_t depth) {
		const std::size_t first = open_members_.size();
		if (!scanner_.is_empty('}')) {
		do {
		const std::string_view key = kept(scanner_.key(unescaped_));
		open_members_.push_back({key, value(depth + 1)});
		} while (scanner_.goes_on('}'));
		}
		auto& members = close(open_members_, first, objects_);
		algo::stable_sort(members, {}, &JsonValue::Member::key);
		std::size_t kept = 0;
		for (std::size_t i = 0; i < members.size(); ++i)
		if (i + 1 == members.size() || members[i].key != members[i + 1].key) members[kept++] = members[i];
		members.resize(kept);
		return JsonValue(std::span<const JsonValue::Member>(members));
	}
	template <class Item>
	[[nodiscard]] static std::vector<Item>& close(std::vector<Item>& open, std::size_t first,
		std::deque<std::vector<Item>>& all) {
		const auto begin = open.begin() + static_cast<std::ptrdiff_t>(first);
		auto& made = all.emplace_back(begin, open.end());
		open.erase(begin, open.end());
		return made;
	}
	JsonScanner scanner_;
	std::size_t most_;
	std::string unescaped_;
	std::vector<JsonValue> open_items_;
	std::vector<JsonValue::Member> open_members_;
	std::deque<std::string> texts_;
	std::deque<std::vector<JsonValue>> lists_;
	std::deque<std::vector<JsonValue::Member>> objects_;
	JsonValue root_;
};
}
#include <cmath>
#include <limits>
namespace ferry::pt2 {
using Parsed = files::JsonValue;
using Kind = Parsed::Kind;
[[noreturn]] inline void damaged(const std::string& what, std::string_view where = {}) {
	throw Error(ErrorKind::bad_file, "the program in the file is damaged: " + what,
		{.where = {.path = std::string(where)}});
}
[[nodiscard]] inline files::JsonDocument parse_json(std::span<const std::byte> bytes, std::string_view where) try {
	return files::JsonDocument(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
} catch (const Error& error) {
	damaged(error.message(), where);
}
[[nodiscard]] inline const Parsed& member(const Parsed& object, const char* key) {
	if (!object.is(Kind::object)) damaged(std::string("an object with '") + key + "' is expected");
	const Parsed* found = object.find(key);
	if (found == nullptr) damaged(std::string("'") + key + "' is missing");
	return *found;
}
[[nodiscard]] inline const Parsed* optional_member(const Parsed& object, const char* key) {
	if (!object.is(Kind::object)) damaged(std::string("an object with '") + key + "' is expected");
	const Parsed* found = object.find(key);
	return found == nullptr || found->is(Kind::null) ? nullptr : found;
}
[[nodiscard]] inline std::span<const Parsed> list_of(const Parsed& value) {
	if (!value.is(Kind::list)) damaged("a list is expected");
	return value.items();
}
[[nodiscard]] inline const Parsed& object_of(const Parsed& value) {
	if (!value.is(Kind::object)) damaged("an object is expected");
	return value;
}
[[nodiscard]] inline std::string_view text_of(const Parsed& value) {
	if (!value.is(Kind::text)) damaged("a text is expected");
	return value.text();
}
[[nodiscard]] inline std::int64_t integer_of(const Parsed& value) {
	if (!value.is(Kind::integer)) damaged("an integer of 64 bits is expected");
	return value.integer();
}
[[nodiscard]] inline bool is_beyond_64_bits(const Parsed& value) {
	return value.is(Kind::real) && std::abs(value.real()) >= 0x1p63;
}
[[nodiscard]] inline bool flag_of(const Parsed& value) {
	if (!value.is(Kind::boolean)) damaged("true or false is expected");
	return value.boolean();
}
[[nodiscard]] inline double real_of(const Parsed& value) {
	if (value.is(Kind::real)) return value.real();
	if (value.is(Kind::integer)) return static_cast<double>(value.integer());
	if (value.is(Kind::text)) {
		const std::string_view word = value.text();
		if (word == "Infinity") return std::numeric_limits<double>::infinity();
		if (word == "-Infinity") return -std::numeric_limits<double>::infinity();
		if (word == "NaN") return std::numeric_limits<double>::quiet_NaN();
	}
	damaged("a number is expected");
}
struct Tagged {
	std::string_view tag;
	const Parsed& value;
};
[[nodiscard]] inline Tagged tagged_of(const Parsed& value) {
	const auto members = object_of(value).members();
	if (members.size() != 1) damaged("an object with one key is expected");
	return {members[0].key, members[0].value};
}
}
namespace ferry::pt2 {
struct SchemaVersion {
	std::int64_t major = 0;
	std::int64_t minor = 0;
};
inline constexpr SchemaVersion schema_version{8, 20};
inline constexpr const char* least_sizes_key = "ferry.least_sizes";
[[nodiscard]] inline std::string to_string(SchemaVersion version) {
	return std::to_string(version.major) + '.' + std::to_string(version.minor);
}
inline void check_version(SchemaVersion version) {
	if (version.major == schema_version.major && version.minor <= schema_version.minor) return;
	const bool newer = version.major > schema_version.major || version.major == schema_version.major;
	throw Error(
		ErrorKind::bad_file,
		"the program's schema version is " + to_string(version) + ", Ferry knows up to " + to_string(schema_version),
		{.hint = newer ? "save the program with an older torch, or use a newer Ferry"
		: "save the program with torch 2.9 or newer"});
}
inline constexpr std::pair<DType, int> scalar_types[] = {
	{DType::uint8, 1},
	{DType::int8, 2},
	{DType::int16, 3},
	{DType::int32, 4},
	{DType::int64, 5},
	{DType::float16, 6},
	{DType::float32, 7},
	{DType::float64, 8},
	{DType::complex32, 9},
	{DType::complex64, 10},
	{DType::complex128, 11},
	{DType::boolean, 12},
	{DType::bfloat16, 13},
	{DType::uint16, 28},
	{DType::float8_e4m3fn, 29},
	{DType::float8_e5m2, 30},
	{DType::float8_e4m3fnuz, 31},
	{DType::float8_e5m2fnuz, 32},
	{DType::uint32, 34},
	{DType::uint64, 35},
};
inline constexpr std::pair<Layout, int> layouts[] = {
	{Layout::sparse, 1},     {Layout::sparse_csr, 2}, {Layout::sparse_csc, 3}, {Layout::sparse_bsr, 4},
	{Layout::sparse_bsc, 5}, {Layout::mkldnn, 6},     {Layout::strided, 7},
};
inline constexpr std::pair<MemoryFormat, int> memory_formats[] = {
	{MemoryFormat::contiguous, 1},
	{MemoryFormat::channels_last, 2},
	{MemoryFormat::channels_last_3d, 3},
	{MemoryFormat::preserve, 4},
};
template <class Enumeration, std::size_t Count>
[[nodiscard]] int number_of(const std::pair<Enumeration, int> (&table)[Count], Enumeration value, const char* what) {
	for (const auto& [each, number] : table)
		if (each == value) return number;
	throw Error(ErrorKind::unsupported, std::string("the .pt2 format has no number for ") + what + ' ' +
		std::to_string(static_cast<int>(value)));
}
template <class Enumeration, std::size_t Count>
[[nodiscard]] Enumeration from_number(const std::pair<Enumeration, int> (&table)[Count], std::int64_t number,
		const char* what) {
	for (const auto& [value, each] : table)
		if (each == number) return value;
	throw Error(ErrorKind::unsupported,
		std::string("the file has a ") + what + " that is not known here: number " + std::to_string(number));
}
}
namespace ferry::pt2 {
class SymbolReader {
public:
	[[nodiscard]] SymExpr integer(const Parsed& json) {
		const auto [tag, value] = tagged_of(json);
		if (tag == "as_int") return integer_of(value);
		if (tag != "as_expr") damaged("a size is neither a number nor an expression");
		const SymExpr& made = expression(value, SymType::integer);
		if (const Parsed* hint = optional_member(value, "hint"); hint != nullptr && made.is_symbol())
		hints_.set(made.name(), integer_of(member(*hint, "as_int")));
		return made;
	}
	[[nodiscard]] SymExpr real(const Parsed& json) {
		const auto [tag, value] = tagged_of(json);
		if (tag == "as_float") return SymExpr::real(real_of(value));
		if (tag != "as_expr") damaged("a number is neither given nor an expression");
		return expression(value, SymType::real);
	}
	[[nodiscard]] SymExpr boolean(const Parsed& json) {
		const auto [tag, value] = tagged_of(json);
		if (tag == "as_bool") return SymExpr::boolean(flag_of(value));
		if (tag != "as_expr") damaged("a condition is neither given nor an expression");
		return expression(value, SymType::boolean);
	}
	[[nodiscard]] static Device device(const Parsed& json) {
		Device made{std::string(text_of(member(json, "type")))};
		if (const Parsed* index = optional_member(json, "index"))
		made.index = static_cast<std::int32_t>(integer_of(*index));
		return made;
	}
	[[nodiscard]] TensorMeta tensor(const Parsed& json) {
		TensorMeta meta{.dtype = from_number(scalar_types, integer_of(member(json, "dtype")), "dtype"),
		.layout = from_number(layouts, integer_of(member(json, "layout")), "layout"),
		.requires_grad = flag_of(member(json, "requires_grad")),
		.device = device(member(json, "device"))};
		const auto sizes = list_of(member(json, "sizes"));
		const auto strides = list_of(member(json, "strides"));
		meta.sizes.reserve(sizes.size());
		meta.strides.reserve(strides.size());
		for (const Parsed& size : sizes) meta.sizes.push_back(integer(size));
		for (const Parsed& stride : strides) meta.strides.push_back(integer(stride));
		if (meta.sizes.size() != meta.strides.size()) damaged("a tensor has another number of strides than of sizes");
		return meta;
	}
	[[nodiscard]] static SymMap<ValueRange> ranges(const Parsed& json) {
		SymMap<ValueRange> made;
		for (const auto& [name, range] : object_of(json).members()) {
		ValueRange read;
		const auto is_no_bound = [](const Parsed& bound, bool above) {
		return is_beyond_64_bits(bound) && (bound.real() > 0) == above;
		};
		if (const Parsed* least = optional_member(range, "min_val");
		least != nullptr && !is_no_bound(*least, false))
		read.min = integer_of(*least);
		if (const Parsed* most = optional_member(range, "max_val"); most != nullptr && !is_no_bound(*most, true))
		read.max = integer_of(*most);
		made.set(name, read);
		}
		return made;
	}
	[[nodiscard]] const SymBindings& hints() const noexcept { return hints_; }
private:
	[[nodiscard]] const SymExpr& expression(const Parsed& json, SymType type) {
		const std::string text(text_of(member(json, "expr_str")));
		auto found = parsed_.find(text);
		if (found == parsed_.end()) found = parsed_.emplace(text, parse_sym_expr(text)).first;
		if (found->second.type() != type) damaged("an expression over sizes is of another type: " + text);
		return found->second;
	}
	std::unordered_map<std::string, SymExpr> parsed_;
	SymBindings hints_;
};
}
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/ScalarType.h>
#include <c10/core/TensorOptions.h>
namespace ferry::files {
[[nodiscard]] inline at::Tensor tensor_over(std::span<std::byte> bytes, DType dtype,
		const std::shared_ptr<const MappedFile>& file) {
	const auto options = at::TensorOptions(to_c10(dtype));
	const auto count = static_cast<std::int64_t>(bytes.size() / c10::elementSize(to_c10(dtype)));
	if (count == 0) return at::empty({0}, options);
	at::Tensor made = at::from_blob(bytes.data(), {count}, [file](void*) {}, options);
	const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % c10::elementSize(to_c10(dtype)) == 0;
	return aligned ? made : made.clone();
}
}
namespace ferry::pt2 {
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
}
#include <variant>
namespace ferry::pt2 {
class PickleReader {
public:
	PickleReader(std::span<std::byte> saved, std::shared_ptr<const files::MappedFile> file)
		: zip_(saved), file_(std::move(file)) {
		if (zip_.entries().empty()) damaged("nothing is pickled");
		const std::string& first = zip_.entries()[0].name;
		root_ = first.substr(0, first.find('/') + 1);
	}
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
		Items items{};
	};
	struct Item {
		std::variant<Leaf, Mark, Name, Storage, Group> value;
		std::uint64_t weight = 1;
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
		case 0x80: static_cast<void>(take(1)); break;
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
}
namespace ferry::pt2 {
class Archive {
public:
	explicit Archive(const std::filesystem::path& path) : file_(files::MappedFile::open(path)), zip_(file_->bytes()) {
		const auto refuse = [&](const std::string& what, std::string hint = {}) {
		throw Error(ErrorKind::bad_file, what, {.hint = std::move(hint), .where = {.path = path.string()}});
		};
		if (zip_.entries().empty()) refuse("the archive is empty");
		root_ = files::torch_root(zip_);
		if (files::is_program_before_2_9(zip_))
		refuse("this program was saved by a torch before 2.9", "save it again with torch 2.9 or newer");
		const auto* format = find("archive_format");
		if (format == nullptr || text(*format) != "pt2")
		refuse("this zip archive is no .pt2 program", "TorchScript files are read by torch::jit::load");
		const auto* version = find("archive_version");
		if (version != nullptr && text(*version) != "0")
		refuse("the archive's version is " + text(*version) + ", Ferry knows 0",
		"save the program with an older torch");
		if (const auto* order = find("byteorder"); order != nullptr && text(*order) != "little")
		refuse("the archive's numbers are " + text(*order) + "-endian, only little-endian ones are read");
	}
	[[nodiscard]] const files::ZipReader::Entry* find(const std::string& name) const { return zip_.find(root_ + name); }
	[[nodiscard]] const files::ZipReader::Entry& at(const std::string& name) const {
		const auto* entry = find(name);
		if (entry == nullptr) damaged("the archive has no entry '" + name + "'");
		return *entry;
	}
	[[nodiscard]] files::JsonDocument json(const std::string& name) const {
		return parse_json(files::ZipReader::checked_bytes(at(name)), name);
	}
	[[nodiscard]] PayloadReader payloads(const std::string& folder, const Parsed& config) const {
		return {zip_, file_, root_ + folder, config};
	}
	[[nodiscard]] std::vector<Leaf> example(const std::string& model, const TreeSpec& spec) const {
		const auto* entry = find("data/sample_inputs/" + model + ".pt");
		if (entry == nullptr || entry->size == 0) return {};
		try {
		return PickleReader(files::ZipReader::bytes(*entry), file_).read(spec);
		} catch (const Error&) {
		return {};
		}
	}
	[[nodiscard]] std::vector<std::string> models() const {
		std::vector<std::string> names;
		const std::string prefix = root_ + "models/";
		for (const auto& entry : zip_.entries())
		if (entry.name.starts_with(prefix) && entry.name.ends_with(".json"))
		names.push_back(entry.name.substr(prefix.size(), entry.name.size() - prefix.size() - 5));
		return names;
	}
private:
	[[nodiscard]] static std::string text(const files::ZipReader::Entry& entry) {
		const auto bytes = files::ZipReader::checked_bytes(entry);
		return {reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 100)};
	}
	std::shared_ptr<const files::MappedFile> file_;
	files::ZipReader zip_;
	std::string root_;
};
}
#include <ATen/core/function_schema.h>
#include <ATen/core/jit_type.h>
namespace ferry {
void verify_schemas(const Graph& graph, bool from_python = false);
namespace detail {
class SchemaVerifier {
public:
	SchemaVerifier(const Graph& graph, bool from_python) : graph_(graph), from_python_(from_python) {}
	void run() {
		for (const Node& node : graph_.nodes()) {
		node_ = &node;
		if (node.op().starts_with("higher_order::") || find_sym_call(node.op()) != nullptr) continue;
		const auto op = find_op(node.op());
		if (!op && from_python_) continue;
		if (!op) fail("this process has no such op");
		check(op->schema());
		}
		for (std::uint32_t i = 0; i < graph_.num_subgraphs(); ++i)
		SchemaVerifier(graph_.subgraph({i}), from_python_).run();
	}
private:
	[[noreturn]] void fail(const std::string& what) const {
		const Value first = node_->output();
		throw Error(
		ErrorKind::internal,
		"a call does not fit its op: " + what + (first ? ", at node '" + graph_.info(first).name + "'" : ""),
		{.where = {.stage = "verify", .op = std::string(node_->op()), .path = std::string(node_->module_path())}});
	}
	void check(const c10::FunctionSchema& schema) const {
		std::size_t used = 0;
		for (const c10::Argument& wanted : schema.arguments()) {
		const auto given = algo::find(node_->arguments(), wanted.name(), &NamedArgument::name);
		if (given == node_->arguments().end()) {
		if (!wanted.default_value() && !wanted.is_out()) fail("argument '" + wanted.name() + "' is missing");
		continue;
		}
		++used;
		if (given->keyword != wanted.kwarg_only())
		fail("argument '" + wanted.name() + "' is " +
		(wanted.kwarg_only() ? "for keywords only" : "not for keywords only"));
		if (!fits(given->value, *wanted.real_type()))
		fail("argument '" + wanted.name() + "' is not of type " + wanted.real_type()->repr_str());
		}
		if (used != node_->arguments().size()) {
		for (const NamedArgument& argument : node_->arguments())
		if (!schema.argumentIndexWithName(argument.name))
		fail("the op has no argument '" + std::string(argument.name) + "'");
		}
		const auto& returns = schema.returns();
		if (node_->outputs().size() > returns.size())
		fail("there are " + std::to_string(node_->outputs().size()) + " results where the op returns " +
		std::to_string(returns.size()));
		for (std::size_t i = 0; i < node_->outputs().size(); ++i) {
		const c10::Type& type = *returns[i].real_type();
		const Output& output = node_->outputs()[i];
		if (output.is_list != (type.kind() == c10::TypeKind::ListType))
		fail("result " + std::to_string(i) + " is not of type " + type.repr_str());
		const bool tensors = element_kind(&type) == c10::TypeKind::TensorType;
		for (const Value value : output.values)
		if ((graph_.info(value).kind == ValueKind::tensor) != tensors)
		fail("result " + std::to_string(i) + " is not of type " + type.repr_str());
		}
	}
	[[nodiscard]] bool fits(const Argument& argument, const c10::Type& type) const {
		using c10::TypeKind;
		if (type.kind() == TypeKind::OptionalType) return argument.is_none() || fits(argument, *type.containedType(0));
		if (type.kind() == TypeKind::AnyType) return true;
		if (const auto* list = argument.get_if<ArgumentList>()) {
		if (type.kind() != TypeKind::ListType) return false;
		return algo::all_of(*list, [&](const Argument& item) { return fits(item, *type.containedType(0)); });
		}
		if (const auto* value = argument.get_if<Value>())
		return fits(graph_.info(*value).kind, type.kind(), from_python_);
		switch (type.kind()) {
		case TypeKind::TensorType: return argument.is_none() || (from_python_ && is_number(argument));
		case TypeKind::GeneratorType: return argument.is_none();
		case TypeKind::IntType:
		case TypeKind::SymIntType: return argument.is<std::int64_t>();
		case TypeKind::FloatType:
		case TypeKind::SymFloatType: return argument.is<double>() || argument.is<std::int64_t>();
		case TypeKind::BoolType:
		case TypeKind::SymBoolType: return argument.is<bool>();
		case TypeKind::NumberType: return is_number(argument);
		case TypeKind::StringType: return argument.is<std::string>();
		case TypeKind::ScalarTypeType: return argument.is<DType>();
		case TypeKind::LayoutType: return argument.is<Layout>();
		case TypeKind::MemoryFormatType: return argument.is<MemoryFormat>();
		case TypeKind::DeviceObjType: return argument.is<Device>();
		default: return false;
		}
	}
	[[nodiscard]] static bool is_number(const Argument& argument) {
		return argument.is<std::int64_t>() || argument.is<double>() || argument.is<bool>() ||
		argument.is<std::complex<double>>();
	}
	[[nodiscard]] static bool fits(ValueKind kind, c10::TypeKind type, bool from_python) {
		using c10::TypeKind;
		if (type == TypeKind::TensorType) return kind == ValueKind::tensor || from_python;
		switch (kind) {
		case ValueKind::tensor: return false;
		case ValueKind::sym_int:
		return type == TypeKind::IntType || type == TypeKind::SymIntType || type == TypeKind::NumberType ||
		type == TypeKind::FloatType || type == TypeKind::SymFloatType;
		case ValueKind::sym_float:
		return type == TypeKind::FloatType || type == TypeKind::SymFloatType || type == TypeKind::NumberType;
		case ValueKind::sym_bool:
		return type == TypeKind::BoolType || type == TypeKind::SymBoolType || type == TypeKind::NumberType;
		}
		return false;
	}
	const Graph& graph_;
	bool from_python_;
	const Node* node_ = nullptr;
};
}
inline void verify_schemas(const Graph& graph, bool from_python) { detail::SchemaVerifier(graph, from_python).run(); }
}
namespace ferry::pt2 {
[[nodiscard]] inline bool is_python_module(std::string_view space) noexcept {
	return space == "_operator" || space == "math" || space == "torch";
}
[[nodiscard]] inline std::string to_target(std::string_view op) {
	const auto colons = op.find("::");
	const std::string_view space = op.substr(0, colons);
	const std::string name(colons == op.npos ? std::string_view() : op.substr(colons + 2));
	if (is_python_module(space)) return std::string(space) + '.' + name;
	const bool bare = space != "higher_order" && name.find('.') == name.npos;
	return "torch.ops." + std::string(space) + '.' + name + (bare ? ".default" : "");
}
[[nodiscard]] inline std::string from_target(std::string_view target) {
	const auto fail = [&]() -> std::string {
		throw Error(ErrorKind::unsupported, "the program calls something that is no op: '" + std::string(target) + "'");
	};
	constexpr std::string_view ops = "torch.ops.";
	if (!target.starts_with(ops)) {
		const auto dot = target.rfind('.');
		if (dot == target.npos || !is_python_module(target.substr(0, dot))) return fail();
		return std::string(target.substr(0, dot)) + "::" + std::string(target.substr(dot + 1));
	}
	const std::string_view rest = target.substr(ops.size());
	const auto first = rest.find('.');
	if (first == rest.npos || first == 0) return fail();
	const std::string space(rest.substr(0, first));
	std::string_view name = rest.substr(first + 1);
	if (space != "higher_order" && name.ends_with(".default")) name.remove_suffix(8);
	if (name.empty()) return fail();
	return space + "::" + std::string(name);
}
}
#include <complex>
#include <iterator>
namespace ferry::pt2 {
class GraphReader {
public:
	GraphReader(const Parsed& json, SymbolReader& symbols, ProvideOp provide)
		: json_(json),
		symbols_(symbols),
		provide_(provide),
		tensors_(object_of(member(json, "tensor_values"))),
		integers_(object_of(member(json, "sym_int_values"))),
		booleans_(object_of(member(json, "sym_bool_values"))),
		reals_(optional_member(json, "sym_float_values")) {}
	[[nodiscard]] Graph read() {
		for (const Parsed& input : list_of(member(json_, "inputs"))) {
		const auto [tag, value] = tagged_of(input);
		if (tag == "as_tensor")
		define_input(text_of(member(value, "name")), ValueKind::tensor);
		else if (tag == "as_sym_int")
		define_input(text_of(member(value, "as_name")), ValueKind::sym_int);
		else if (tag == "as_custom_obj")
		refuse_object(value);
		}
		for (const Parsed& node : list_of(member(json_, "nodes"))) read_node(node);
		std::vector<Argument> outputs;
		const auto list = list_of(member(json_, "outputs"));
		outputs.reserve(list.size());
		for (const Parsed& output : list) outputs.push_back(argument(output));
		graph_.set_outputs(std::move(outputs));
		return std::move(graph_);
	}
	[[nodiscard]] Value find(std::string_view name) const {
		const auto found = values_.find(name);
		if (found == values_.end()) damaged("a value is used that nothing defines: '" + std::string(name) + "'");
		return found->second;
	}
	[[nodiscard]] Argument argument(const Parsed& json) {
		const auto [tag, value] = tagged_of(json);
		if (tag == "as_none") return {};
		if (tag == "as_tensor") return find(text_of(member(value, "name")));
		if (tag == "as_int" && compares_ && is_beyond_64_bits(value)) return real_of(value);
		if (tag == "as_int") return integer_of(value);
		if (tag == "as_float") return real_of(value);
		if (tag == "as_bool") return flag_of(value);
		if (tag == "as_string") return std::string(text_of(value));
		if (tag == "as_sym_int" || tag == "as_sym_float" || tag == "as_sym_bool" || tag == "as_optional_tensor")
		return argument_inside(value);
		if (tag == "as_scalar_type") return from_number(scalar_types, integer_of(value), "dtype");
		if (tag == "as_memory_format") return from_number(memory_formats, integer_of(value), "memory format");
		if (tag == "as_layout") return from_number(layouts, integer_of(value), "layout");
		if (tag == "as_device") return SymbolReader::device(value);
		if (tag == "as_complex")
		return std::complex<double>(real_of(member(value, "real")), real_of(member(value, "imag")));
		if (tag == "as_graph") return subgraph(value);
		if (tag == "as_custom_obj") refuse_object(value);
		if (tag == "as_operator") {
		std::string op = from_target(text_of(value));
		static_cast<void>(schema_of(op));
		return op;
		}
		if (tag == "as_string_to_argument")
		throw Error(ErrorKind::unsupported,
		"an argument of the form " + std::string(tag) + " cannot stand in a graph");
		if (value.is(Kind::list)) return list(tag, value);
		damaged("an argument of the unknown form '" + std::string(tag) + "'");
	}
private:
	[[noreturn]] static void refuse_object(const Parsed& value) {
		throw Error(ErrorKind::unsupported,
		"the program uses a custom object of the class " + std::string(text_of(member(value, "class_fqn"))),
		{.hint = "export a model whose forward takes tensors and numbers only"});
	}
	[[nodiscard]] ValueInfo info_of(std::string_view name, ValueKind kind) {
		ValueInfo info{.name = {}, .kind = kind};
		const auto in = [&](const Parsed& values) -> const Parsed& {
		const Parsed* found = values.find(name);
		if (found == nullptr) damaged("nothing is said about the value '" + std::string(name) + "'");
		return *found;
		};
		switch (kind) {
		case ValueKind::tensor: info.tensor = symbols_.tensor(in(tensors_)); break;
		case ValueKind::sym_int: info.symbol = symbols_.integer(in(integers_)); break;
		case ValueKind::sym_bool: info.symbol = symbols_.boolean(in(booleans_)); break;
		case ValueKind::sym_float:
		if (reals_ == nullptr) damaged("nothing is said about the value '" + std::string(name) + "'");
		info.symbol = symbols_.real(in(object_of(*reals_)));
		break;
		}
		return info;
	}
	void remember(std::string_view name, Value value) {
		if (name.empty() || !values_.emplace(name, value).second)
		damaged("two values are called '" + std::string(name) + "'");
	}
	void define_input(std::string_view name, ValueKind kind) {
		remember(name, graph_.add_input(name, info_of(name, kind)));
	}
	[[nodiscard]] Value define(std::string_view name, ValueKind kind) {
		const Value value = graph_.new_value(name, info_of(name, kind));
		remember(name, value);
		return value;
	}
	[[nodiscard]] Argument argument_inside(const Parsed& value) {
		const auto [tag, inner] = tagged_of(value);
		if (tag == "as_name") return find(text_of(inner));
		return argument(value);
	}
	[[nodiscard]] Argument list(std::string_view tag, const Parsed& values) {
		ArgumentList made;
		made.reserve(values.items().size());
		for (const Parsed& each : values.items()) {
		if (each.is(Kind::list))
		made.push_back(list(tag, each));
		else if (tag == "as_tensors" || tag == "as_nested_tensors")
		made.emplace_back(find(text_of(member(each, "name"))));
		else if (tag == "as_ints" || tag == "as_int_lists")
		made.emplace_back(integer_of(each));
		else if (tag == "as_floats" || tag == "as_float_lists")
		made.emplace_back(real_of(each));
		else if (tag == "as_bools")
		made.emplace_back(flag_of(each));
		else if (tag == "as_strings")
		made.emplace_back(std::string(text_of(each)));
		else
		made.push_back(argument_inside(each));
		}
		return made;
	}
	[[nodiscard]] Argument subgraph(const Parsed& value) {
		Graph body = GraphReader(member(value, "graph"), symbols_, provide_).read();
		return graph_.add_subgraph(std::string(text_of(member(value, "name"))), std::move(body));
	}
	[[nodiscard]] Output output(const Parsed& json) {
		const auto [tag, value] = tagged_of(json);
		if (tag == "as_none") return {};
		if (tag == "as_tensor") return {{define(text_of(member(value, "name")), ValueKind::tensor)}};
		if (tag == "as_sym_int") return {{define(text_of(member(value, "as_name")), ValueKind::sym_int)}};
		if (tag == "as_sym_float") return {{define(text_of(member(value, "as_name")), ValueKind::sym_float)}};
		if (tag == "as_sym_bool") return {{define(text_of(member(value, "as_name")), ValueKind::sym_bool)}};
		if (tag == "as_tensors") {
		Output made{.is_list = true};
		const auto names = list_of(value);
		made.values.reserve(names.size());
		for (const Parsed& each : names)
		made.values.push_back(define(text_of(member(each, "name")), ValueKind::tensor));
		return made;
		}
		throw Error(ErrorKind::unsupported, "a result of the form " + std::string(tag) + " cannot stand in a graph");
	}
	[[nodiscard]] static bool is_comparison(std::string_view op) {
		constexpr std::string_view names[] = {"_operator::eq", "_operator::ne", "_operator::lt",
		"_operator::le", "_operator::gt", "_operator::ge"};
		return algo::contains(names, op);
	}
	[[nodiscard]] const c10::FunctionSchema* schema_of(const std::string& op) {
		const auto [found, is_new] = schemas_.try_emplace(op, nullptr);
		if (!is_new) return found->second;
		auto handle = find_op(op);
		if (!handle && provide_ != nullptr) {
		provide_(op);
		handle = find_op(op);
		}
		if (handle) found->second = &handle->schema();
		return found->second;
	}
	[[nodiscard]] std::string_view name_of(const std::string& op, std::string_view given, std::size_t position) {
		if (!given.empty()) return graph_.intern(given);
		if (find_higher_order(op) != nullptr) {
		const auto names = higher_order_arguments(op);
		if (position < names.size()) return names[position];
		return graph_.intern("operand_" + std::to_string(position - names.size()));
		}
		return graph_.intern("arg_" + std::to_string(position));
	}
	void read_node(const Parsed& json) {
		const std::string_view target = text_of(member(json, "target"));
		std::string path;
		try {
		path = module_path(json);
		const std::string op = from_target(target);
		const c10::FunctionSchema* schema = schema_of(op);
		compares_ = is_comparison(op);
		const auto inputs = list_of(member(json, "inputs"));
		std::vector<NamedArgument> arguments;
		arguments.reserve(inputs.size());
		for (const Parsed& input : inputs) {
		const std::string_view name = name_of(op, text_of(member(input, "name")), arguments.size());
		bool keyword = false;
		if (schema != nullptr) {
		const auto index = schema->argumentIndexWithName(name);
		keyword = index && schema->arguments()[static_cast<std::size_t>(*index)].kwarg_only();
		} else if (const Parsed* kind = optional_member(input, "kind")) {
		keyword = integer_of(*kind) == 2;
		}
		arguments.push_back({.name = name, .value = argument(member(input, "arg")), .keyword = keyword});
		}
		const auto results = list_of(member(json, "outputs"));
		std::vector<Output> outputs;
		outputs.reserve(results.size());
		for (const Parsed& result : results) outputs.push_back(output(result));
		Node& node = graph_.append(op, std::move(arguments), std::move(outputs));
		node.set_module_path(graph_.intern(path));
		} catch (const Error& error) {
		if (!error.where().op.empty()) throw;
		throw Error(error.kind(), error.message(),
		{.hint = error.hint(), .where = {.op = std::string(target), .path = path}});
		}
	}
	[[nodiscard]] static std::string module_path(const Parsed& json) {
		const Parsed* metadata = optional_member(json, "metadata");
		const Parsed* stack = metadata != nullptr ? optional_member(*metadata, "nn_module_stack") : nullptr;
		if (stack == nullptr || !stack->is(Kind::text)) return {};
		const std::string_view text = stack->text();
		std::string_view last = text.substr(text.rfind(';') + 1);
		int depth = 0;
		std::size_t start = last.npos;
		for (std::size_t i = 0; i < last.size(); ++i) {
		if (last[i] == '(' || last[i] == '[') ++depth;
		if (last[i] == ')' || last[i] == ']') --depth;
		if (last[i] != ',' || depth != 0) continue;
		if (start != last.npos) {
		const std::string_view path = last.substr(start, i - start);
		return path == "_empty_nn_module_stack_from_metadata_hook" ? std::string() : std::string(path);
		}
		start = i + 1;
		}
		return {};
	}
	const Parsed& json_;
	SymbolReader& symbols_;
	ProvideOp provide_;
	const Parsed& tensors_;
	const Parsed& integers_;
	const Parsed& booleans_;
	const Parsed* reals_;
	bool compares_ = false;
	Graph graph_;
	std::unordered_map<std::string_view, Value> values_;
	std::unordered_map<std::string, const c10::FunctionSchema*> schemas_;
};
}
namespace ferry::pt2 {
class GuardReader {
public:
	explicit GuardReader(const ExportedProgram& program) : program_(program) {
		const auto slots = input_slots(program);
		std::vector<const InputSpec*> leaves;
		for (const InputSpec& input : program.signature.inputs)
		if (input.kind == InputKind::user_input) leaves.push_back(&input);
		for (std::size_t i = 0; i < leaves.size(); ++i) {
		inputs_.emplace(slots.at(i).path, leaves[i]);
		inputs_.emplace("flat_args." + std::to_string(i), leaves[i]);
		}
		std::map<std::string, std::size_t> counts;
		for (std::size_t i = 0; i < leaves.size(); ++i) {
		const std::string argument = slots[i].path.substr(0, slots[i].path.find('.'));
		inputs_.emplace(argument + "." + std::to_string(counts[argument]++), leaves[i]);
		}
	}
	[[nodiscard]] Guard read(const std::string& text) const {
		try {
		return {text, condition(text)};
		} catch (const Error& error) {
		const Guard guard{text};
		log(LogLevel::warning, "the program holds under a condition that is not understood, and not checked: " +
		in_words(guard) + " (" + error.message() + ")");
		return guard;
		}
	}
private:
	struct Source {
		std::vector<std::string_view> path{};
		std::string_view method{};
		std::size_t index = 0;
	};
	[[nodiscard]] SymExpr condition(std::string_view text) const {
		std::string over_symbols;
		SymMap<SymExpr> numbers;
		for (std::size_t at = 0; at < text.size();) {
		const bool is_source =
		text.substr(at, 2) == "L[" && (at == 0 || !detail::SymScanner::is_name(text[at - 1]));
		if (!is_source) {
		over_symbols += text[at++];
		continue;
		}
		const std::string name = "input" + std::to_string(over_symbols.size());
		numbers.set(name, number(scan(text, ++at)));
		over_symbols += name;
		}
		const SymExpr parsed = parse_sym_expr(over_symbols);
		if (parsed.type() != SymType::boolean) throw Error(ErrorKind::bad_file, "it is no condition");
		return substitute(parsed, numbers);
	}
	[[nodiscard]] static Source scan(std::string_view text, std::size_t& at) {
		Source source;
		const auto until = [&](std::size_t end, std::size_t skipped) {
		if (end == std::string_view::npos) throw Error(ErrorKind::bad_file, "it has no end");
		const auto found = text.substr(at, end - at);
		at = end + skipped;
		return found;
		};
		while (at < text.size()) {
		if (text[at] == '[') {
		const char quote = text.substr(++at, 1) == "'" ? '\'' : text.substr(at, 1) == "\"" ? '"' : '\0';
		const std::string_view key =
		quote != '\0' ? until(text.find(quote, ++at), 2) : until(text.find(']', at), 1);
		if (source.method.empty()) {
		source.path.push_back(key);
		continue;
		}
		const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), source.index);
		if (error != std::errc() || end != key.data() + key.size())
		throw Error(ErrorKind::bad_file, "it has an index that is no number");
		break;
		}
		if (text[at] != '.') break;
		std::size_t end = ++at;
		while (end < text.size() && detail::SymScanner::is_name(text[end])) ++end;
		const std::string_view word = until(end, 0);
		if (text.substr(at, 2) != "()") {
		source.path.push_back(word);
		continue;
		}
		source.method = word;
		at += 2;
		}
		return source;
	}
	[[nodiscard]] const InputSpec& find(const std::vector<std::string_view>& path) const {
		std::string dotted, flat;
		for (std::size_t i = 0; i < path.size(); ++i) {
		dotted.append(i == 0 ? "" : ".").append(path[i]);
		flat.append(i == 0 ? "" : i == 1 ? "_" : ".").append(path[i]);
		}
		for (const std::string& name : {dotted, flat})
		if (const auto found = inputs_.find(name); found != inputs_.end()) return *found->second;
		throw Error(ErrorKind::bad_file, "there is no input '" + dotted + "'");
	}
	[[nodiscard]] SymExpr number(const Source& source) const {
		const InputSpec& input = find(source.path);
		const auto* value = input.argument.get_if<Value>();
		if (value == nullptr) {
		const auto* fixed = input.argument.get_if<std::int64_t>();
		if (fixed != nullptr && source.method.empty()) return *fixed;
		} else {
		const ValueInfo& about = program_.graph.info(*value);
		if (source.method.empty() && about.kind == ValueKind::sym_int) return about.symbol;
		const auto& numbers = source.method == "size" ? about.tensor.sizes : about.tensor.strides;
		if ((source.method == "size" || source.method == "stride") && source.index < numbers.size())
		return numbers[source.index];
		}
		throw Error(ErrorKind::unsupported, "it is about something else than sizes");
	}
	const ExportedProgram& program_;
	std::map<std::string, const InputSpec*> inputs_;
};
}
namespace ferry::pt2 {
class ProgramReader {
public:
	explicit ProgramReader(const Parsed& json, ProvideOp provide = nullptr)
		: json_(json), module_(checked_module(json)), graph_(member(module_, "graph"), symbols_, provide) {}
	[[nodiscard]] ExportedProgram read() {
		ExportedProgram program;
		program.graph = graph_.read();
		const Parsed& signature = member(module_, "signature");
		for (const Parsed& each : list_of(member(signature, "input_specs")))
		program.signature.inputs.push_back(input(each, program.graph));
		for (const Parsed& each : list_of(member(signature, "output_specs")))
		program.signature.outputs.push_back(output(each));
		read_specs(program);
		program.ranges = SymbolReader::ranges(member(json_, "range_constraints"));
		program.takes_small_sizes = optional_member(member(module_, "metadata"), least_sizes_key) == nullptr;
		program.hints = symbols_.hints();
		check(program);
		if (const Parsed* guards = optional_member(json_, "guards_code")) {
		const GuardReader reader(program);
		for (const Parsed& guard : list_of(*guards))
		program.guards.push_back(reader.read(std::string(text_of(guard))));
		}
		return program;
	}
private:
	[[nodiscard]] static const Parsed& checked_module(const Parsed& json) {
		const Parsed& version = member(json, "schema_version");
		check_version({integer_of(member(version, "major")), integer_of(member(version, "minor"))});
		return member(json, "graph_module");
	}
	[[nodiscard]] InputSpec lifted(InputKind kind, const Parsed& value, const char* target, const Graph& graph) {
		const Value found = graph_.find(text_of(member(member(value, "arg"), "name")));
		return {.kind = kind,
		.argument = found,
		.name = graph.info(found).name,
		.target = std::string(text_of(member(value, target)))};
	}
	[[nodiscard]] InputSpec input(const Parsed& json, const Graph& graph) {
		const auto [tag, value] = tagged_of(json);
		if (tag == "user_input") {
		InputSpec made{.kind = InputKind::user_input, .argument = graph_.argument(member(value, "arg"))};
		if (const auto* found = made.argument.get_if<Value>()) made.name = graph.info(*found).name;
		return made;
		}
		if (tag == "constant_input")
		return {.kind = InputKind::user_input,
		.argument = graph_.argument(member(value, "value")),
		.name = std::string(text_of(member(value, "name")))};
		if (tag == "parameter") return lifted(InputKind::parameter, value, "parameter_name", graph);
		if (tag == "buffer") {
		InputSpec made = lifted(InputKind::buffer, value, "buffer_name", graph);
		made.persistent = flag_of(member(value, "persistent"));
		return made;
		}
		if (tag == "tensor_constant") return lifted(InputKind::constant_tensor, value, "tensor_constant_name", graph);
		if (tag == "custom_obj" || tag == "token")
		throw Error(ErrorKind::unsupported,
		"the program has a " + std::string(tag == "token" ? "token of side effects" : "custom object") +
		" among its inputs");
		damaged("an input of the unknown kind '" + std::string(tag) + "'");
	}
	[[nodiscard]] OutputSpec output(const Parsed& json) {
		const auto [tag, value] = tagged_of(json);
		const auto mutation = [&](OutputKind kind, const char* target) -> OutputSpec {
		return {kind, graph_.find(text_of(member(member(value, "arg"), "name"))),
		std::string(text_of(member(value, target)))};
		};
		if (tag == "user_output") return {OutputKind::user_output, graph_.argument(member(value, "arg"))};
		if (tag == "loss_output")
		return {OutputKind::loss_output, graph_.find(text_of(member(member(value, "arg"), "name")))};
		if (tag == "buffer_mutation") return mutation(OutputKind::buffer_mutation, "buffer_name");
		if (tag == "parameter_mutation") return mutation(OutputKind::parameter_mutation, "parameter_name");
		if (tag == "user_input_mutation") return mutation(OutputKind::user_input_mutation, "user_input_name");
		if (tag == "token" || tag == "gradient_to_parameter" || tag == "gradient_to_user_input")
		throw Error(ErrorKind::unsupported, "the program has an output of the kind " + std::string(tag));
		damaged("an output of the unknown kind '" + std::string(tag) + "'");
	}
	void read_specs(ExportedProgram& program) const {
		for (const Parsed& entry : list_of(member(module_, "module_call_graph"))) {
		if (!text_of(member(entry, "fqn")).empty()) continue;
		const Parsed& signature = member(entry, "signature");
		program.in_spec = tree::treespec_loads(text_of(member(signature, "in_spec")));
		program.out_spec = tree::treespec_loads(text_of(member(signature, "out_spec")));
		const auto& parts = program.in_spec.children();
		if (parts.size() != 2 || !parts[1].is_mapping())
		damaged("the tree of the inputs is not (positional, by name)");
		if (const Parsed* names = optional_member(signature, "forward_arg_names"))
		for (const Parsed& name : list_of(*names)) program.input_names.emplace_back(text_of(name));
		return;
		}
		damaged("the tree of the inputs is missing");
	}
	static void check(ExportedProgram& program) {
		std::vector<Value> wanted;
		std::size_t user_inputs = 0, user_outputs = 0;
		std::vector<std::string> names;
		for (const InputSpec& input : program.signature.inputs) {
		if (const auto* value = input.argument.get_if<Value>()) wanted.push_back(*value);
		if (input.kind == InputKind::user_input)
		++user_inputs;
		else
		names.push_back(input.target);
		}
		if (!algo::equal(wanted, program.graph.inputs())) damaged("the signature has other inputs than the graph");
		if (user_inputs != program.in_spec.num_leaves())
		damaged("the tree of the inputs has another number of leaves than the signature");
		if (program.signature.outputs.size() != program.graph.outputs().size())
		damaged("the signature has other outputs than the graph");
		for (std::size_t i = 0; i < program.graph.outputs().size(); ++i) {
		const OutputSpec& output = program.signature.outputs[i];
		if (!(output.argument == program.graph.outputs()[i]))
		damaged("the signature has other outputs than the graph");
		if (output.kind == OutputKind::user_output) ++user_outputs;
		const bool is_state =
		output.kind == OutputKind::buffer_mutation || output.kind == OutputKind::parameter_mutation;
		if (is_state && !algo::contains(names, output.target))
		damaged("the signature changes a tensor that the program does not have", output.target);
		}
		if (user_outputs != program.out_spec.num_leaves())
		damaged("the tree of the outputs has another number of leaves than the signature");
		try {
		verify(program.graph);
		verify_schemas(program.graph, /*from_python=*/true);
		} catch (const Error& error) {
		throw Error(ErrorKind::bad_file, error.message(), {.where = error.where()});
		}
	}
	const Parsed& json_;
	const Parsed& module_;
	SymbolReader symbols_;
	GraphReader graph_;
};
}
#include <unordered_set>
namespace ferry::pt2 {
FERRY_INLINE void provide_known_op(std::string_view op) { provide_op<default_library_ops>(op); }
FERRY_INLINE ExportedProgram load_program(const std::filesystem::path& path, const LoadOptions& options,
		ProvideOp provide) {
	const Archive archive(path);
	std::string model = options.model;
	if (model.empty()) {
		const auto models = archive.models();
		if (models.size() != 1) {
		std::string names;
		for (const std::string& each : models) names += (names.empty() ? "" : ", ") + each;
		throw Error(ErrorKind::bad_file, "the file has " + std::to_string(models.size()) + " programs",
		{.hint = models.empty() ? "" : "name one of them in LoadOptions: " + names,
		.where = {.path = path.string()}});
		}
		model = models[0];
	}
	const files::JsonDocument json = archive.json("models/" + model + ".json");
	ExportedProgram program = ProgramReader(json.root(), provide).read();
	const files::JsonDocument weights_config = archive.json("data/weights/" + model + "_weights_config.json");
	const files::JsonDocument constants_config = archive.json("data/constants/" + model + "_constants_config.json");
	PayloadReader weights = archive.payloads("data/weights/", weights_config.root());
	PayloadReader constants = archive.payloads("data/constants/", constants_config.root());
	std::unordered_set<std::string> seen;
	for (const InputSpec& input : program.signature.inputs) {
		if (input.kind == InputKind::user_input || !seen.insert(input.target).second) continue;
		if (input.kind == InputKind::parameter || (input.kind == InputKind::buffer && input.persistent))
		program.state.emplace_back(input.target, weights.read(input.target));
		else
		program.constants.emplace_back(input.target, constants.read(input.target));
	}
	program.example_inputs = archive.example(model, program.in_spec);
	if (options.device)
		move_to_device(program, *options.device);
	else
		place_tensors(program);
	return program;
}
}
namespace ferry::files {
template <class Sink>
class ZipWriter {
public:
	static constexpr std::uint64_t alignment = 64;
	explicit ZipWriter(Sink& sink, std::uint64_t wide_from = zip::in_zip64) : sink_(sink), wide_from_(wide_from) {}
	void add(std::string_view name, std::span<const std::byte> bytes);
	void add(std::string_view name, std::string_view text) {
		add(name, std::as_bytes(std::span<const char>(text.data(), text.size())));
	}
	void finish();
private:
	struct Written {
		std::string name;
		std::uint64_t size, place;
		std::uint32_t crc;
	};
	static constexpr std::uint16_t version = 45, utf8 = 0x0800, stored = 0, midnight = 0, first_day = 0x21;
	[[nodiscard]] bool is_wide(std::uint64_t number) const noexcept { return number >= wide_from_; }
	[[nodiscard]] std::uint32_t narrow(std::uint64_t number) const noexcept {
		return is_wide(number) ? zip::in_zip64 : static_cast<std::uint32_t>(number);
	}
	Sink& sink_;
	std::uint64_t wide_from_;
	std::vector<Written> written_;
	std::unordered_set<std::string> names_;
};
template <class Sink>
void ZipWriter<Sink>::add(std::string_view name, std::span<const std::byte> bytes) {
	if (name.size() > 0x7FFF)
		throw Error(ErrorKind::unsupported, "an entry of a zip archive with a name of more than 32767 bytes");
	if (!names_.emplace(name).second)
		throw Error(ErrorKind::internal, "two entries of an archive have one name",
		{.where = {.path = std::string(name)}});
	const std::uint64_t place = sink_.size();
	const bool wide = is_wide(bytes.size());
	const std::uint64_t fixed = zip::local_header_size + name.size() + (wide ? 20 : 0);
	const std::uint64_t filler = alignment - (place + fixed + 4) % alignment;
	const auto crc_place = place + 14;
	zip::Record header;
	header.add(zip::local_header).add(version).add(utf8).add(stored).add(midnight).add(first_day);
	header.add(std::uint32_t{0}).add(narrow(bytes.size())).add(narrow(bytes.size()));
	header.add(static_cast<std::uint16_t>(name.size())).add(static_cast<std::uint16_t>((wide ? 20 : 0) + 4 + filler));
	header.add_text(name);
	if (wide) {
		const std::uint64_t size = bytes.size();
		header.add(zip::zip64_field).add(std::uint16_t{16}).add(size).add(size);
	}
	header.add_text("FB").add(static_cast<std::uint16_t>(filler)).add_filler(static_cast<std::size_t>(filler));
	sink_.write(header.bytes());
	std::uint32_t crc = 0;
	constexpr std::size_t piece = std::size_t{1} << 20;
	for (std::size_t at = 0; at < bytes.size(); at += piece) {
		const auto part = bytes.subspan(at, std::min(piece, bytes.size() - at));
		crc = crc32(part, crc);
		sink_.write(part);
	}
	sink_.patch(crc_place, zip::Record().add(crc).bytes());
	written_.push_back({std::string(name), bytes.size(), place, crc});
}
template <class Sink>
void ZipWriter<Sink>::finish() {
	const std::uint64_t start = sink_.size();
	for (const auto& [name, size, place, crc] : written_) {
		const std::size_t numbers = (is_wide(size) ? 2 : 0) + (is_wide(place) ? 1 : 0);
		zip::Record header;
		header.add(zip::central_header).add(version).add(version).add(utf8).add(stored).add(midnight).add(first_day);
		header.add(crc).add(narrow(size)).add(narrow(size)).add(static_cast<std::uint16_t>(name.size()));
		header.add(static_cast<std::uint16_t>(numbers == 0 ? 0 : 4 + 8 * numbers)).add_filler(10).add(narrow(place));
		header.add_text(name);
		if (numbers != 0) header.add(zip::zip64_field).add(static_cast<std::uint16_t>(8 * numbers));
		if (is_wide(size)) header.add(size).add(size);
		if (is_wide(place)) header.add(place);
		sink_.write(header.bytes());
	}
	const std::uint64_t size = sink_.size() - start;
	const std::uint64_t count = written_.size();
	zip::Record end;
	if (is_wide(start) || is_wide(size) || count >= zip::many) {
		end.add(zip::end_record64).add(std::uint64_t{zip::end_record64_size - 12}).add(version).add(version);
		end.add_filler(8).add(count).add(count).add(size).add(start);
		end.add(zip::end_locator64).add_filler(4).add(start + size).add(std::uint32_t{1});
	}
	const auto short_count = static_cast<std::uint16_t>(std::min<std::uint64_t>(count, zip::many));
	end.add(zip::end_record).add_filler(4).add(short_count).add(short_count).add(narrow(size)).add(narrow(start));
	end.add_filler(2);
	sink_.write(end.bytes());
}
}
#include <concepts>
#include <initializer_list>
namespace ferry::files {
class Json {
public:
	using Member = std::pair<std::string_view, Json>;
	Json() : text_("null") {}
	Json(std::nullptr_t) : Json() {}
	template <std::same_as<bool> Bool>
	Json(Bool value) : text_(value ? "true" : "false") {}
	template <std::integral Number>
		requires(!std::same_as<Number, bool>)
	Json(Number value) : text_(std::to_string(value)) {}
	Json(double value) {
		char digits[32];
		const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
		text_.assign(digits, end);
		if (text_.find_first_of(".en") == text_.npos) text_ += ".0";
	}
	Json(std::string_view text) { append(text); }
	Json(const std::string& text) : Json(std::string_view(text)) {}
	Json(const char* text) : Json(std::string_view(text)) {}
	Json(std::initializer_list<Member> members) : Json(object()) {
		for (const auto& [key, value] : members) put(key, value);
	}
	[[nodiscard]] static Json array() { return {'[', ']'}; }
	[[nodiscard]] static Json object() { return {'{', '}'}; }
	template <class List>
	[[nodiscard]] static Json array_of(const List& list) {
		Json made = array();
		for (const auto& each : list) made.push_back(each);
		return made;
	}
	void push_back(const Json& item) {
		separate();
		append_to(text_, item);
	}
	void put(std::string_view key, const Json& value) {
		separate();
		append(key);
		text_ += ':';
		append_to(text_, value);
	}
	[[nodiscard]] std::string text() const {
		std::string made;
		append_to(made, *this);
		return made;
	}
private:
	Json(char open, char close) : text_(1, open), close_(close) {}
	void separate() {
		if (text_.size() > 1) text_ += ',';
	}
	void append(std::string_view text) {
		if (!append_json_string(text_, text))
		throw Error(ErrorKind::invalid_input, "a name or text that is to be written is not UTF-8");
	}
	static void append_to(std::string& out, const Json& value) {
		out += value.text_;
		if (value.close_ != '\0') out += value.close_;
	}
	std::string text_;  
	char close_ = '\0';
};
}
namespace ferry::pt2 {
using files::Json;
[[nodiscard]] inline Json tagged(std::string_view key, const Json& value) {
	Json made = Json::object();
	made.put(key, value);
	return made;
}
}
namespace ferry::pt2 {
class SymbolWriter {
public:
	explicit SymbolWriter(const ExportedProgram& program) : hints_(hints_of(program)) {
		const auto rename = [&](const std::string& name) {
		const std::string written = name_in_python(name);
		if (written != name) renamed_.set(name, SymExpr::symbol(written));
		};
		for (const auto& [name, hint] : hints_) rename(name);
		for (const auto& [name, range] : program.ranges) rename(name);
	}
	[[nodiscard]] Json integer(const SymExpr& a) const {
		if (a.is_constant()) return tagged("as_int", a.value());
		const auto [place, is_new] = written_.try_emplace(a);
		if (is_new) {
		const auto hint = known(a) ? tagged("as_int", evaluate(a, hints_)) : Json();
		place->second = tagged("as_expr", Json{{"expr_str", text(a)}, {"hint", hint}});
		}
		return place->second;
	}
	[[nodiscard]] Json real(const SymExpr& a) const {
		if (a.op() == SymOp::real || a.is_constant()) return tagged("as_float", a.real_value());
		const auto hint = known(a) ? tagged("as_float", evaluate_real(a, hints_)) : Json();
		return tagged("as_expr", Json{{"expr_str", text(a)}, {"hint", hint}});
	}
	[[nodiscard]] Json boolean(const SymExpr& a) const {
		if (a.op() == SymOp::boolean) return tagged("as_bool", a.value() != 0);
		return tagged("as_expr", Json{{"expr_str", text(a)}, {"hint", nullptr}});
	}
	[[nodiscard]] Json tensor(const TensorMeta& meta, const SymExpr& offset = 0) const {
		Json sizes = Json::array(), strides = Json::array();
		for (const SymExpr& size : meta.sizes) sizes.push_back(integer(size));
		if (meta.strides.size() == meta.sizes.size()) {
		for (const SymExpr& stride : meta.strides) strides.push_back(integer(stride));
		} else {
		std::vector<SymExpr> dense(meta.sizes.size(), SymExpr(1));
		for (std::size_t dim = dense.size(); dim-- > 1;) dense[dim - 1] = dense[dim] * meta.sizes[dim];
		for (const SymExpr& stride : dense) strides.push_back(integer(stride));
		}
		Json made = Json::object();
		made.put("dtype", number_of(scalar_types, meta.dtype, "the dtype"));
		made.put("sizes", sizes);
		made.put("requires_grad", meta.requires_grad);
		made.put("device", device(meta.device));
		made.put("strides", strides);
		made.put("storage_offset", integer(offset));
		made.put("layout", number_of(layouts, meta.layout, "the layout"));
		return made;
	}
	[[nodiscard]] static Json device(const Device& device) {
		return Json{{"type", device.type}, {"index", device.index ? Json(*device.index) : Json()}};
	}
	[[nodiscard]] Json ranges(const SymMap<ValueRange>& ranges) const {
		Json made = Json::object();
		for (const auto& [name, range] : ranges)
		made.put(name_in_python(name),
		Json{{"min_val", range.min == ValueRange::no_min ? Json() : Json(range.min)},
		{"max_val", range.max == ValueRange::no_max ? Json() : Json(range.max)}});
		return made;
	}
private:
	[[nodiscard]] static std::string name_in_python(const std::string& name) {
		constexpr std::array<std::string_view, 14> functions{"Symbol", "Integer", "Float", "Add",     "Mul",
		"Pow",    "Max",     "Min",   "Mod",     "PythonMod",
		"And",    "Or",      "Not",   "FloorDiv"};
		const bool kind = (name.starts_with('u') && !is_unbacked_name(name)) || name.starts_with('z');
		return kind || algo::contains(functions, name) ? "s_" + name : name;
	}
	[[nodiscard]] std::string text(const SymExpr& a) const {
		return to_srepr(renamed_.size() == 0 ? a : substitute(a, renamed_));
	}
	[[nodiscard]] bool known(const SymExpr& a) const {
		return algo::all_of(free_symbols(a), [&](const auto& name) { return hints_.find(name) != nullptr; });
	}
	[[nodiscard]] static SymBindings hints_of(const ExportedProgram& program) {
		SymBindings hints = program.hints;
		std::size_t at = 0;
		for (const InputSpec& input : program.signature.inputs) {
		if (input.kind != InputKind::user_input) continue;
		const std::size_t place = at++;
		const auto* value = input.argument.get_if<Value>();
		if (value == nullptr || place >= program.example_inputs.size()) continue;
		const Leaf& leaf = program.example_inputs[place];
		if (!leaf.is_tensor() || !leaf.tensor().defined()) continue;
		const auto& sizes = program.graph.info(*value).tensor.sizes;
		for (std::size_t dim = 0; dim < sizes.size() && std::cmp_less(dim, leaf.tensor().dim()); ++dim)
		if (const auto affine = as_affine(sizes[dim]))
		if (const auto solved = affine->solve(leaf.tensor().size(static_cast<std::int64_t>(dim))))
		hints.set(affine->symbol, *solved);
		}
		for (const auto& [name, range] : program.ranges)
		if (hints.find(name) == nullptr && !is_unbacked_name(name))
		hints.set(name, std::clamp<std::int64_t>(3, range.min, std::max(range.min, range.max)));
		return hints;
	}
	SymBindings hints_;
	SymMap<SymExpr> renamed_;
	mutable std::map<SymExpr, Json> written_;
};
}
namespace ferry::pt2 {
class Payloads {
public:
	struct File {
		std::string name;
		at::Tensor holder;
		std::span<const std::byte> bytes;
	};
	Payloads(std::string_view prefix, const SymbolWriter& symbols) : prefix_(prefix), symbols_(symbols) {}
	void count(const at::Tensor& tensor) {
		if (tensor.defined() && tensor.has_storage()) ++users_[tensor.storage().unsafeGetStorageImpl()];
	}
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
}
namespace ferry::pt2 {
class PickleWriter {
public:
	[[nodiscard]] static std::optional<files::OutputBytes> write(const Tree& tree) {
		PickleWriter writer;
		writer.text_ = "\x80\x02";
		if (!writer.value(tree)) return std::nullopt;
		writer.text_ += '.';
		files::OutputBytes bytes;
		files::ZipWriter archive(bytes);
		archive.add("archive/data.pkl", writer.text_);
		archive.add("archive/byteorder", "little");
		for (std::size_t i = 0; i < writer.tensors_.size(); ++i)
		archive.add("archive/data/" + std::to_string(i),
		std::span(static_cast<const std::byte*>(writer.tensors_[i].const_data_ptr()),
		static_cast<std::size_t>(writer.tensors_[i].nbytes())));
		archive.add("archive/version", "3\n");
		archive.finish();
		return bytes;
	}
private:
	[[nodiscard]] static std::string_view storage_class(DType dtype) noexcept {
		switch (dtype) {
		case DType::float32: return "FloatStorage";
		case DType::float64: return "DoubleStorage";
		case DType::float16: return "HalfStorage";
		case DType::bfloat16: return "BFloat16Storage";
		case DType::int64: return "LongStorage";
		case DType::int32: return "IntStorage";
		case DType::int16: return "ShortStorage";
		case DType::int8: return "CharStorage";
		case DType::uint8: return "ByteStorage";
		case DType::boolean: return "BoolStorage";
		case DType::complex64: return "ComplexFloatStorage";
		case DType::complex128: return "ComplexDoubleStorage";
		default: return {};
		}
	}
	void little(std::uint64_t number, std::size_t bytes) {
		for (std::size_t i = 0; i < bytes; ++i) text_ += static_cast<char>(number >> (8 * i));
	}
	void integer(std::int64_t number) {
		text_ += "\x8a\x08";
		little(static_cast<std::uint64_t>(number), 8);
	}
	void string(std::string_view text) {
		text_ += 'X';
		little(text.size(), 4);
		text_ += text;
	}
	void name(std::string_view module, std::string_view member) {
		text_.append("c").append(module).append("\n").append(member) += '\n';
	}
	void sizes(at::IntArrayRef numbers) {
		text_ += '(';
		for (const std::int64_t each : numbers) integer(each);
		text_ += 't';
	}
	[[nodiscard]] bool tensor(const at::Tensor& given) {
		const at::Tensor tensor = given.detach().cpu().resolve_conj().resolve_neg().contiguous();
		const std::string_view storage = storage_class(to_dtype(tensor.scalar_type()));
		if (storage.empty() || tensor.is_meta()) return false;
		name("torch._utils", "_rebuild_tensor_v2");
		text_ += "((";
		string("storage");
		name("torch", storage);
		string(std::to_string(tensors_.size()));
		string("cpu");
		integer(tensor.numel());
		text_ += "tQ";
		integer(0);
		sizes(tensor.sizes());
		sizes(tensor.strides());
		text_ += given.requires_grad() ? '\x88' : '\x89';
		name("collections", "OrderedDict");
		text_ += ")RtR";
		tensors_.push_back(tensor);
		return true;
	}
	[[nodiscard]] bool leaf(const Leaf& leaf) {
		if (leaf.is_tensor()) {
		if (leaf.tensor().defined()) return tensor(leaf.tensor());
		text_ += 'N';
		} else if (const auto* flag = leaf.get_if<bool>()) {
		text_ += *flag ? '\x88' : '\x89';
		} else if (const auto* number = leaf.get_if<std::int64_t>()) {
		integer(*number);
		} else if (const auto* real = leaf.get_if<double>()) {
		text_ += 'G';
		const auto bits = std::bit_cast<std::uint64_t>(*real);
		for (int i = 7; i >= 0; --i) text_ += static_cast<char>(bits >> (8 * i));
		} else if (const auto* text = leaf.get_if<std::string>()) {
		string(*text);
		} else {
		text_ += 'N';
		}
		return true;
	}
	[[nodiscard]] bool value(const Tree& tree) {
		const TreeSpec::Kind kind = tree.spec.kind();
		if (kind == TreeSpec::Kind::leaf) return leaf(tree.leaves[0]);
		const bool is_dict = kind == TreeSpec::Kind::dict;
		if (!is_dict && kind != TreeSpec::Kind::list && kind != TreeSpec::Kind::tuple) return false;
		text_ += is_dict ? "}(" : kind == TreeSpec::Kind::list ? "](" : "(";
		const auto children = tree.children();
		for (std::size_t i = 0; i < children.size(); ++i) {
		if (is_dict) {
		if (!tree.spec.keys()[i].is_text()) return false;
		string(tree.spec.keys()[i].text());
		}
		if (!value(children[i])) return false;
		}
		text_ += is_dict ? 'u' : kind == TreeSpec::Kind::list ? 'e' : 't';
		return true;
	}
	std::string text_;
	std::vector<at::Tensor> tensors_;
};
}
namespace ferry::pt2 {
class TargetNames {
public:
	explicit TargetNames(const ExportedProgram& program) {
		for (const InputSpec& input : program.signature.inputs) taken_.insert(input.target);
	}
	[[nodiscard]] std::string operator()(std::string_view target) const {
		std::string made;
		bool is_other = false;
		for (std::size_t begin = 0; begin <= target.size();) {
		const std::size_t end = std::min(target.find('.', begin), target.size());
		const std::string_view part = target.substr(begin, end - begin);
		made.append(begin == 0 ? "" : ".").append(part);
		const bool is_attribute = python_attributes.find(' ' + std::string(part) + ' ') != std::string_view::npos;
		if (is_attribute) made += '_', is_other = true;
		begin = end + 1;
		}
		while (is_other && taken_.contains(made)) made += '_';
		return made;
	}
private:
	static constexpr std::string_view python_attributes =
		" T_destination _apply _backward_hooks _backward_pre_hooks _boxed_call _buffers _call_impl _code "
		"_compiled_call_impl _create_node_hooks _deepcopy_hooks _deepcopy_init _erase_node_hooks _forward_hooks "
		"_forward_hooks_always_called _forward_hooks_with_kwargs _forward_pre_hooks _forward_pre_hooks_with_kwargs "
		"_get_backward_hooks _get_backward_pre_hooks _get_name _graph _is_full_backward_hook _lineno_map "
		"_load_from_state_dict _load_state_dict_post_hooks _load_state_dict_pre_hooks _maybe_warn_non_full_backward_hook "
		"_modules _named_members _non_persistent_buffers_set _parameters _prologue_start _recompile_submodules "
		"_register_create_node_hook _register_deepcopy_hook _register_erase_node_hook _register_load_state_dict_pre_hook "
		"_register_replace_node_hook _register_state_dict_hook _replace_hooks _replicate_for_data_parallel "
		"_save_to_state_dict _set_replace_hook _slow_forward _state_dict_hooks _state_dict_pre_hooks _tracer_cls "
		"_tracer_extras _unregister_create_node_hook _unregister_deepcopy_hook _unregister_erase_node_hook "
		"_unregister_replace_node_hook _version _wrapped_call _wrapped_call_impl add_module add_submodule apply "
		"bfloat16 buffers "
		"call_super_init children code compile cpu cuda delete_all_unused_submodules delete_submodule double "
		"dump_patches eval extra_repr float forward get_buffer get_extra_state get_parameter get_submodule graph half "
		"ipu load_state_dict meta modules mtia named_buffers named_children named_modules named_parameters parameters "
		"print_readable recompile register_backward_hook register_buffer register_forward_hook register_forward_pre_hook "
		"register_full_backward_hook register_full_backward_pre_hook register_load_state_dict_post_hook "
		"register_load_state_dict_pre_hook register_module register_parameter register_state_dict_post_hook "
		"register_state_dict_pre_hook requires_grad_ set_extra_state set_submodule shape_env share_memory state_dict to "
		"to_empty to_folder train training type xpu zero_grad ";
	std::unordered_set<std::string> taken_;
};
}
namespace ferry::pt2 {
[[nodiscard]] inline Json number(double value) {
	if (std::isnan(value)) return "NaN";
	if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
	return value;
}
class ArgumentWriter {
public:
	ArgumentWriter(const Graph& graph, std::function<Json(Subgraph)> write_body)
		: graph_(graph), write_body_(std::move(write_body)) {}
	[[nodiscard]] Json value(Value value) const {
		const ValueInfo& info = graph_.info(value);
		switch (info.kind) {
		case ValueKind::tensor: return tagged("as_tensor", tagged("name", info.name));
		case ValueKind::sym_int: return tagged("as_sym_int", tagged("as_name", info.name));
		case ValueKind::sym_float: return tagged("as_sym_float", tagged("as_name", info.name));
		case ValueKind::sym_bool: return tagged("as_sym_bool", tagged("as_name", info.name));
		}
		return {};
	}
	[[nodiscard]] Json argument(const Argument& given, std::string_view element = "as_tensors") const {
		if (given.is_none()) return tagged("as_none", true);
		if (const auto* each = given.get_if<Value>()) return value(*each);
		if (const auto* flag = given.get_if<bool>()) return tagged("as_bool", *flag);
		if (const auto* integer = given.get_if<std::int64_t>()) return tagged("as_int", *integer);
		if (const auto* real = given.get_if<double>()) return tagged("as_float", number(*real));
		if (const auto* text = given.get_if<std::string>()) return tagged("as_string", *text);
		if (const auto* dtype = given.get_if<DType>())
		return tagged("as_scalar_type", number_of(scalar_types, *dtype, "the dtype"));
		if (const auto* layout = given.get_if<Layout>())
		return tagged("as_layout", number_of(layouts, *layout, "the layout"));
		if (const auto* format = given.get_if<MemoryFormat>())
		return tagged("as_memory_format", number_of(memory_formats, *format, "the memory format"));
		if (const auto* device = given.get_if<Device>()) return tagged("as_device", SymbolWriter::device(*device));
		if (const auto* complex = given.get_if<std::complex<double>>())
		return tagged("as_complex", Json{{"real", number(complex->real())}, {"imag", number(complex->imag())}});
		if (const auto* body = given.get_if<Subgraph>())
		return tagged("as_graph", Json{{"name", graph_.subgraph_name(*body)}, {"graph", write_body_(*body)}});
		return list(*given.get_if<ArgumentList>(), element);
	}
private:
	template <class Type>
	[[nodiscard]] static bool all(const ArgumentList& list) {
		return algo::all_of(list, [](const Argument& item) { return item.is<Type>(); });
	}
	[[nodiscard]] bool all_values(const ArgumentList& list, ValueKind kind) const {
		return algo::all_of(list, [&](const Argument& item) {
		const auto* each = item.get_if<Value>();
		return each != nullptr && graph_.info(*each).kind == kind;
		});
	}
	template <class Type>
	[[nodiscard]] bool mixed(const ArgumentList& list, ValueKind kind) const {
		return algo::all_of(list, [&](const Argument& item) {
		const auto* each = item.get_if<Value>();
		return each != nullptr ? graph_.info(*each).kind == kind : item.is<Type>();
		});
	}
	template <class Item>
	[[nodiscard]] static Json each(std::string_view tag, const ArgumentList& list, Item&& write) {
		Json made = Json::array();
		for (const Argument& item : list) made.push_back(write(item));
		return tagged(tag, made);
	}
	[[nodiscard]] Json name_of(const Argument& item) const {
		return tagged("name", graph_.info(*item.get_if<Value>()).name);
	}
	template <class Type>
	[[nodiscard]] Json symbols(std::string_view tag, std::string_view plain, const ArgumentList& list) const {
		return each(tag, list, [&](const Argument& item) {
		const auto* named = item.get_if<Value>();
		return named != nullptr ? tagged("as_name", graph_.info(*named).name)
		: tagged(plain, Json(*item.get_if<Type>()));
		});
	}
	[[nodiscard]] Json list(const ArgumentList& list, std::string_view element) const {
		if (list.empty()) return tagged(element, Json::array());
		if (all<bool>(list)) return each("as_bools", list, [](const Argument& a) { return *a.get_if<bool>(); });
		if (all<std::int64_t>(list))
		return each("as_ints", list, [](const Argument& a) { return *a.get_if<std::int64_t>(); });
		if (all<double>(list))
		return each("as_floats", list, [](const Argument& a) { return number(*a.get_if<double>()); });
		if (all<std::string>(list))
		return each("as_strings", list, [](const Argument& a) { return *a.get_if<std::string>(); });
		if (mixed<std::int64_t>(list, ValueKind::sym_int)) return symbols<std::int64_t>("as_sym_ints", "as_int", list);
		if (mixed<double>(list, ValueKind::sym_float)) return symbols<double>("as_sym_floats", "as_float", list);
		if (mixed<bool>(list, ValueKind::sym_bool)) return symbols<bool>("as_sym_bools", "as_bool", list);
		if (all<Value>(list)) return each("as_tensors", list, [&](const Argument& a) { return name_of(a); });
		if (algo::all_of(list, [](const Argument& a) { return a.is_none() || a.is<Value>(); }))
		return each("as_optional_tensors", list, [&](const Argument& a) {
		return a.is_none() ? tagged("as_none", true) : tagged("as_tensor", name_of(a));
		});
		if (all<ArgumentList>(list)) return nested(list);
		throw Error(ErrorKind::unsupported, "a list of different things cannot be written to a .pt2 file");
	}
	[[nodiscard]] Json nested(const ArgumentList& list) const {
		const auto inner = [](const Argument& a) -> const ArgumentList& { return *a.get_if<ArgumentList>(); };
		const auto each_inner = [&](std::string_view tag, auto&& write) {
		Json outer = Json::array();
		for (const Argument& item : list) {
		Json made = Json::array();
		for (const Argument& leaf : inner(item)) made.push_back(write(leaf));
		outer.push_back(made);
		}
		return tagged(tag, outer);
		};
		if (algo::all_of(list, [&](const Argument& a) { return all<std::int64_t>(inner(a)); }))
		return each_inner("as_int_lists", [](const Argument& a) { return *a.get_if<std::int64_t>(); });
		if (algo::all_of(list, [&](const Argument& a) { return all<double>(inner(a)); }))
		return each_inner("as_float_lists", [](const Argument& a) { return number(*a.get_if<double>()); });
		if (algo::all_of(list, [&](const Argument& a) { return all_values(inner(a), ValueKind::tensor); }))
		return each_inner("as_nested_tensors", [&](const Argument& a) { return name_of(a); });
		throw Error(ErrorKind::unsupported, "a list of lists of different things cannot be written to a .pt2 file");
	}
	const Graph& graph_;
	std::function<Json(Subgraph)> write_body_;
};
}
namespace ferry::pt2 {
class GraphWriter {
public:
	GraphWriter(const Graph& graph, const SymbolWriter& symbols)
		: graph_(graph), symbols_(symbols), arguments_(graph, [this](Subgraph body) {
		return GraphWriter(graph_.subgraph(body), symbols_).write_body(is_condition_);
		}) {}
	GraphWriter(const GraphWriter&) = delete;
	GraphWriter& operator=(const GraphWriter&) = delete;
	[[nodiscard]] Json write_body(bool is_single) {
		Json inputs = Json::array();
		for (const Value input : graph_.inputs()) inputs.push_back(arguments_.value(input));
		return write(inputs, is_single);
	}
	[[nodiscard]] Json write(const Json& inputs, bool is_single = false) {
		for (std::uint32_t i = 0; i < graph_.num_subgraphs(); ++i) taken_.insert(graph_.subgraph_name({i}));
		for (const Value input : graph_.inputs()) define(input);
		for (const Node& node : graph_.nodes())
		for (const Output& output : node.outputs())
		for (const Value value : output.values) define(value);
		Json outputs = Json::array(), nodes = Json::array();
		for (const Argument& output : graph_.outputs()) outputs.push_back(arguments_.argument(output));
		for (const Node& each : graph_.nodes()) nodes.push_back(write_node(each));
		Json made = Json::object();
		made.put("inputs", inputs);
		made.put("outputs", outputs);
		made.put("nodes", nodes);
		made.put("tensor_values", tensors_);
		made.put("sym_int_values", integers_);
		made.put("sym_bool_values", booleans_);
		made.put("is_single_tensor_return", is_single);
		made.put("custom_obj_values", Json::object());
		made.put("sym_float_values", reals_);
		return made;
	}
private:
	void define(Value value) {
		const ValueInfo& info = graph_.info(value);
		taken_.insert(info.name);
		switch (info.kind) {
		case ValueKind::tensor: tensors_.put(info.name, symbols_.tensor(info.tensor)); break;
		case ValueKind::sym_int: integers_.put(info.name, symbols_.integer(info.symbol)); break;
		case ValueKind::sym_float: reals_.put(info.name, symbols_.real(info.symbol)); break;
		case ValueKind::sym_bool: booleans_.put(info.name, symbols_.boolean(condition(info))); break;
		}
	}
	[[nodiscard]] SymExpr condition(const ValueInfo& info) const {
		if (info.symbol.type() == SymType::boolean || info.producer == nullptr) return info.symbol;
		constexpr std::pair<std::string_view, SymOp> comparisons[] = {
		{"_operator::eq", SymOp::eq}, {"_operator::ne", SymOp::ne}, {"_operator::lt", SymOp::lt},
		{"_operator::le", SymOp::le}, {"_operator::gt", SymOp::gt}, {"_operator::ge", SymOp::ge}};
		const auto arguments = info.producer->arguments();
		const auto operand = [&](std::size_t i) -> SymExpr {
		if (const auto* integer = arguments[i].value.get_if<std::int64_t>()) return *integer;
		if (const auto* value = arguments[i].value.get_if<Value>()) return graph_.info(*value).symbol;
		return 0;
		};
		for (const auto& [op, comparison] : comparisons)
		if (op == info.producer->op() && arguments.size() == 2) return compare(comparison, operand(0), operand(1));
		throw Error(ErrorKind::unsupported,
		"a condition over sizes of which no expression is known: '" + info.name + "'",
		{.where = {.op = std::string(info.producer->op())}});
	}
	[[nodiscard]] static std::string_view element_tag(const c10::Type* type) {
		while (type->kind() == c10::TypeKind::OptionalType || type->kind() == c10::TypeKind::ListType)
		type = type->containedType(0).get();
		switch (type->kind()) {
		case c10::TypeKind::IntType:
		case c10::TypeKind::SymIntType: return "as_ints";
		case c10::TypeKind::FloatType: return "as_floats";
		case c10::TypeKind::BoolType: return "as_bools";
		case c10::TypeKind::StringType: return "as_strings";
		default: return "as_tensors";
		}
	}
	[[nodiscard]] const c10::FunctionSchema* schema_of(std::string_view op) {
		const auto [found, is_new] = schemas_.try_emplace(op.data(), nullptr);
		if (is_new)
		if (const auto handle = find_op(op)) found->second = &handle->schema();
		return found->second;
	}
	[[nodiscard]] Json inputs_of(const Node& node, bool higher_order) {
		const c10::FunctionSchema* schema = schema_of(node.op());
		Json inputs = Json::array();
		std::size_t place = 0;
		bool by_name = false;
		for (const NamedArgument& argument : node.arguments()) {
		std::string_view element = "as_tensors";
		by_name = by_name || argument.keyword;
		if (schema != nullptr)
		if (const auto index = schema->argumentIndexWithName(argument.name)) {
		element = element_tag(schema->arguments()[static_cast<std::size_t>(*index)].real_type().get());
		by_name = by_name || std::cmp_not_equal(*index, place);
		}
		is_condition_ = argument.name == "cond_fn" && node.op() == "higher_order::while_loop";
		Json made = Json::object();
		made.put("name", higher_order && !argument.keyword ? std::string() : std::string(argument.name));
		const bool is_op = argument.name == mutable_op_argument && is_auto_functionalized(node.op());
		made.put("arg", is_op ? tagged("as_operator", to_target(*argument.value.get_if<std::string>()))
		: arguments_.argument(argument.value, element));
		made.put("kind", by_name ? 2 : 1);
		inputs.push_back(made);
		++place;
		}
		return inputs;
	}
	[[nodiscard]] Json write_node(const Node& node) try {
		const bool higher_order = node.op().starts_with("higher_order::");
		Json outputs = Json::array();
		std::size_t count = 0;
		for (const Output& output : node.outputs()) {
		count += output.values.size() + static_cast<std::size_t>(output.is_list);
		if (output.is_list && !higher_order) {
		Json names = Json::array();
		for (const Value value : output.values) names.push_back(tagged("name", graph_.info(value).name));
		outputs.push_back(tagged("as_tensors", names));
		continue;
		}
		if (output.values.empty()) outputs.push_back(tagged("as_none", true));
		for (const Value value : output.values) outputs.push_back(arguments_.value(value));
		}
		const bool single = count == 1 && !higher_order && node.outputs().size() == 1;
		Json made = Json::object();
		made.put("target", to_target(node.op()));
		made.put("inputs", inputs_of(node, higher_order));
		made.put("outputs", outputs);
		made.put("metadata", metadata(node));
		made.put("is_hop_single_tensor_return", higher_order ? Json(false) : Json());
		made.put("name", single ? graph_.info(node.output()).name : fresh_name(node.op()));
		return made;
	} catch (const Error& error) {
		if (!error.where().op.empty()) throw;
		throw Error(
		error.kind(), error.message(),
		{.hint = error.hint(), .where = {.op = std::string(node.op()), .path = std::string(node.module_path())}});
	}
	[[nodiscard]] std::string fresh_name(std::string_view op) {
		const auto colons = op.find("::");
		std::string base(op.substr(colons == op.npos ? 0 : colons + 2));
		if (const auto dot = base.find('.'); dot != base.npos) base.resize(dot);
		std::size_t& count = counts_[base];
		if (count == 0 && ferry::detail::is_python_word(base)) ++count;
		for (;; ++count) {
		std::string name = count == 0 ? base : base + '_' + std::to_string(count);
		if (taken_.insert(name).second) return name;
		}
	}
	[[nodiscard]] static Json metadata(const Node& node) {
		Json made = Json::object();
		const std::string path(node.module_path());
		if (path.find_first_of(",;()[]") != path.npos) return made;
		std::string stack = "L__self__,,torch.nn.modules.module.Module";
		for (std::size_t dot = path.empty() ? path.npos : 0; dot != path.npos;) {
		dot = path.find('.', dot + 1);
		const std::string part = path.substr(0, dot);
		stack.append(";L__self___").append(part).append(",").append(part).append(",torch.nn.modules.module.Module");
		}
		made.put("nn_module_stack", stack);
		return made;
	}
	const Graph& graph_;
	const SymbolWriter& symbols_;
	ArgumentWriter arguments_;
	bool is_condition_ = false;
	std::unordered_set<std::string> taken_;
	std::unordered_map<std::string, std::size_t> counts_;
	std::unordered_map<const char*, const c10::FunctionSchema*> schemas_;
	Json tensors_ = Json::object(), integers_ = Json::object(), reals_ = Json::object(), booleans_ = Json::object();
};
}
namespace ferry::pt2 {
class ProgramWriter {
public:
	explicit ProgramWriter(const ExportedProgram& program)
		: program_(program),
		targets_(program),
		symbols_(program),
		arguments_(program.graph, [](Subgraph) { return Json(); }) {}
	[[nodiscard]] Json write() const {
		Json graph_module = Json::object();
		graph_module.put("graph", GraphWriter(program_.graph, symbols_).write(graph_inputs()));
		graph_module.put("signature", Json{{"input_specs", inputs()}, {"output_specs", outputs()}});
		graph_module.put("module_call_graph",
		Json::array_of(std::array{Json{{"fqn", ""}, {"signature", call_signature()}}}));
		graph_module.put("metadata", metadata());
		graph_module.put("treespec_namedtuple_fields", Json::object());
		Json made = Json::object();
		made.put("graph_module", graph_module);
		made.put("opset_version", Json{{"aten", 10}});
		made.put("range_constraints", symbols_.ranges(program_.ranges));
		made.put("schema_version", Json{{"major", schema_version.major}, {"minor", schema_version.minor}});
		made.put("verifiers", Json::array_of(std::array{"TRAINING"}));
		made.put("torch_version", to_string(capture::libtorch_found));
		made.put("guards_code", guards());
		return made;
	}
	[[nodiscard]] const SymbolWriter& symbols() const noexcept { return symbols_; }
	[[nodiscard]] const TargetNames& targets() const noexcept { return targets_; }
private:
	[[nodiscard]] Json metadata() const {
		const bool matters = !program_.takes_small_sizes && algo::any_of(program_.ranges, [](const auto& each) {
		return each.second.min == 1 || each.second.min == 2;
		});
		return matters ? Json{{least_sizes_key, "checked"}} : Json::object();
	}
	[[nodiscard]] Json guards() const {
		Json made = Json::array();
		for (const Guard& guard : program_.guards) made.push_back(guard.text);
		return made;
	}
	[[nodiscard]] Json graph_inputs() const {
		Json made = Json::array();
		for (const InputSpec& input : program_.signature.inputs) made.push_back(arguments_.argument(input.argument));
		return made;
	}
	[[nodiscard]] Json by_name(const Argument& argument, std::string_view what) const {
		const auto* value = argument.get_if<Value>();
		if (value == nullptr)
		throw Error(ErrorKind::internal, "a part of the signature that must be a tensor is none",
		{.where = {.path = std::string(what)}});
		return tagged("name", program_.graph.info(*value).name);
	}
	[[nodiscard]] Json input(const InputSpec& input) const {
		switch (input.kind) {
		case InputKind::user_input:
		if (input.argument.is<Value>())
		return tagged("user_input", tagged("arg", arguments_.argument(input.argument)));
		return tagged("constant_input",
		Json{{"name", input.name}, {"value", arguments_.argument(input.argument)}});
		case InputKind::parameter:
		return tagged("parameter", Json{{"arg", by_name(input.argument, input.target)},
		{"parameter_name", targets_(input.target)}});
		case InputKind::buffer:
		return tagged("buffer", Json{{"arg", by_name(input.argument, input.target)},
		{"buffer_name", targets_(input.target)},
		{"persistent", input.persistent}});
		case InputKind::constant_tensor:
		return tagged("tensor_constant", Json{{"arg", by_name(input.argument, input.target)},
		{"tensor_constant_name", targets_(input.target)}});
		case InputKind::custom_object:
		case InputKind::token: break;
		}
		throw Error(ErrorKind::unsupported, "custom objects and effect tokens are not written to .pt2 files",
		{.where = {.path = input.name}});
	}
	[[nodiscard]] Json output(const OutputSpec& output) const {
		const auto mutation = [&](const char* kind, const char* key, const std::string& target) {
		return tagged(kind, Json{{"arg", by_name(output.argument, output.target)}, {key, target}});
		};
		switch (output.kind) {
		case OutputKind::user_output:
		return tagged("user_output", tagged("arg", arguments_.argument(output.argument)));
		case OutputKind::loss_output: return tagged("loss_output", tagged("arg", by_name(output.argument, "loss")));
		case OutputKind::buffer_mutation:
		return mutation("buffer_mutation", "buffer_name", targets_(output.target));
		case OutputKind::parameter_mutation:
		return mutation("parameter_mutation", "parameter_name", targets_(output.target));
		case OutputKind::user_input_mutation:
		return mutation("user_input_mutation", "user_input_name", output.target);
		case OutputKind::token: break;
		}
		throw Error(ErrorKind::unsupported, "effect tokens are not written to .pt2 files");
	}
	[[nodiscard]] Json inputs() const {
		Json made = Json::array();
		for (const InputSpec& each : program_.signature.inputs) made.push_back(input(each));
		return made;
	}
	[[nodiscard]] Json outputs() const {
		Json made = Json::array();
		for (const OutputSpec& each : program_.signature.outputs) made.push_back(output(each));
		return made;
	}
	[[nodiscard]] Json call_signature() const {
		Json names;
		if (!program_.input_names.empty()) {
		names = Json::array_of(program_.input_names);
		} else if (program_.in_spec.children().size() == 2 && program_.in_spec.children()[0].children().empty()) {
		names = Json::array_of(program_.in_spec.children()[1].child_names());
		}
		return Json{{"inputs", Json::array()},
		{"outputs", Json::array()},
		{"in_spec", tree::treespec_dumps(program_.in_spec)},
		{"out_spec", tree::treespec_dumps(program_.out_spec)},
		{"forward_arg_names", names}};
	}
	const ExportedProgram& program_;
	TargetNames targets_;
	SymbolWriter symbols_;
	ArgumentWriter arguments_;
};
}
namespace ferry {
FERRY_INLINE void save(const ExportedProgram& program, const std::filesystem::path& path) {
	const pt2::ProgramWriter writer(program);
	std::unordered_map<std::string_view, const at::Tensor*> tensors;
	for (const auto* named : {&program.state, &program.constants})
		for (const auto& [name, tensor] : *named) tensors.emplace(name, &tensor);
	pt2::Payloads weights("weight_", writer.symbols()), constants("tensor_", writer.symbols());
	const auto for_each_tensor = [&](auto&& visit) {
		for (const InputSpec& input : program.signature.inputs) {
		if (input.kind == InputKind::user_input || input.kind == InputKind::token) continue;
		const auto found = tensors.find(input.target);
		if (found == tensors.end())
		throw Error(ErrorKind::internal, "the program has no tensor for one of its inputs",
		{.where = {.path = input.target}});
		const bool is_state =
		input.kind == InputKind::parameter || (input.kind == InputKind::buffer && input.persistent);
		visit(is_state ? weights : constants, input, *found->second);
		}
	};
	for_each_tensor([](pt2::Payloads& into, const InputSpec&, const at::Tensor& tensor) { into.count(tensor); });
	for_each_tensor([&](pt2::Payloads& into, const InputSpec& input, const at::Tensor& tensor) {
		into.add(writer.targets()(input.target), tensor, input.kind == InputKind::parameter);
	});
	files::OutputFile file(path);
	files::ZipWriter archive(file);
	const std::string root = (path.stem().empty() ? std::string("program") : path.stem().string()) + '/';
	const auto add_payloads = [&](const std::string& folder, const pt2::Payloads& payloads, std::string_view config) {
		for (const auto& [name, holder, bytes] : payloads.files()) archive.add((root + folder).append(name), bytes);
		archive.add((root + folder).append(config), payloads.config().text());
	};
	add_payloads("data/weights/", weights, "model_weights_config.json");
	add_payloads("data/constants/", constants, "model_constants_config.json");
	archive.add(root + "models/model.json", writer.write().text());
	std::optional<files::OutputBytes> example;
	if (!program.example_inputs.empty() && program.example_inputs.size() == program.in_spec.num_leaves())
		example = pt2::PickleWriter::write(Tree(program.in_spec, program.example_inputs));
	archive.add(root + "data/sample_inputs/model.pt", example ? example->bytes() : std::span<const std::byte>());
	archive.add(root + "archive_format", "pt2");
	archive.add(root + "archive_version", "0");
	archive.add(root + ".data/version", "6\n");
	archive.add(root + "byteorder", "little");
	archive.finish();
	file.commit();
}
FERRY_INLINE void ExportedProgram::save(const std::filesystem::path& path) const { ferry::save(*this, path); }
}
namespace ferry::safetensors {
inline constexpr std::pair<DType, std::string_view> dtype_words[] = {
	{DType::boolean, "BOOL"},
	{DType::uint8, "U8"},
	{DType::int8, "I8"},
	{DType::int16, "I16"},
	{DType::uint16, "U16"},
	{DType::int32, "I32"},
	{DType::uint32, "U32"},
	{DType::int64, "I64"},
	{DType::uint64, "U64"},
	{DType::float16, "F16"},
	{DType::bfloat16, "BF16"},
	{DType::float32, "F32"},
	{DType::float64, "F64"},
	{DType::complex64, "C64"},
	{DType::float8_e5m2, "F8_E5M2"},
	{DType::float8_e4m3fn, "F8_E4M3"},
	{DType::float8_e5m2fnuz, "F8_E5M2FNUZ"},
	{DType::float8_e4m3fnuz, "F8_E4M3FNUZ"},
};
[[nodiscard]] constexpr std::optional<DType> dtype_of(std::string_view word) noexcept {
	for (const auto& [dtype, each] : dtype_words)
		if (each == word) return dtype;
	return std::nullopt;
}
[[nodiscard]] constexpr std::string_view word_of(DType dtype) noexcept {
	for (const auto& [each, word] : dtype_words)
		if (each == dtype) return word;
	return {};
}
}
namespace ferry::safetensors {
namespace detail {
inline constexpr std::uint64_t max_header = 100'000'000;
struct Described {
	std::string name;
	DType dtype;
	std::vector<std::int64_t> shape;
	std::uint64_t begin, end;
};
[[noreturn]] inline void damaged(const std::string& what, const std::string& name = {}) {
	throw Error(ErrorKind::bad_file, "this is not a readable .safetensors file: " + what, {.where = {.path = name}});
}
[[nodiscard]] inline files::JsonDocument parse_header(std::string_view text, const std::filesystem::path& path) try {
	return files::JsonDocument(text, 8);
} catch (const Error& error) {
	damaged("its header: " + error.message(), path.string());
}
using Kind = files::JsonValue::Kind;
[[nodiscard]] inline std::uint64_t unsigned_of(const files::JsonValue& number, const std::string& name) {
	if (!number.is(Kind::integer) || number.integer() < 0)
		damaged("a shape or offset is not a number of zero or more", name);
	return static_cast<std::uint64_t>(number.integer());
}
[[nodiscard]] inline Described describe(const std::string& name, const files::JsonValue& entry) {
	if (!entry.is(Kind::object)) damaged("the description of a tensor is not an object", name);
	const auto *dtype = entry.find("dtype"), *shape = entry.find("shape"), *offsets = entry.find("data_offsets");
	if (dtype == nullptr || !dtype->is(Kind::text) || shape == nullptr || !shape->is(Kind::list) ||
		offsets == nullptr || !offsets->is(Kind::list) || offsets->items().size() != 2)
		damaged("a tensor needs dtype, shape and two data_offsets", name);
	const auto known = dtype_of(dtype->text());
	if (!known)
		throw Error(ErrorKind::unsupported, "a tensor of the unknown type '" + std::string(dtype->text()) + "'",
		{.where = {.path = name}});
	Described made{name, *known, {}, unsigned_of(offsets->items()[0], name), unsigned_of(offsets->items()[1], name)};
	if (made.begin > made.end) damaged("a tensor ends before it begins", name);
	std::uint64_t size = info(*known).bytes;
	made.shape.reserve(shape->items().size());
	for (const files::JsonValue& each : shape->items()) {
		const std::uint64_t extent = unsigned_of(each, name);
		made.shape.push_back(static_cast<std::int64_t>(extent));
		if (__builtin_mul_overflow(size, extent, &size)) damaged("a shape is too large", name);
	}
	if (size != made.end - made.begin) damaged("a tensor's shape and its number of bytes do not agree", name);
	return made;
}
[[nodiscard]] inline std::map<std::string, std::string> read_metadata(const files::JsonValue& entry) {
	std::map<std::string, std::string> metadata;
	if (!entry.is(Kind::object)) damaged("__metadata__ is not an object");
	for (const auto& [key, value] : entry.members()) {
		if (!value.is(Kind::text)) damaged("__metadata__ has a value that is no text", std::string(key));
		metadata.emplace(key, value.text());
	}
	return metadata;
}
}
FERRY_INLINE Contents load(const std::filesystem::path& path) {
	const auto file = files::MappedFile::open(path);
	const auto bytes = file->bytes();
	std::uint64_t header_size = 0;
	if (bytes.size() < sizeof header_size) detail::damaged("it is too short", path.string());
	std::memcpy(&header_size, bytes.data(), sizeof header_size);
	if (header_size > detail::max_header || header_size > bytes.size() - sizeof header_size)
		detail::damaged("its header is longer than the file, or than the format allows", path.string());
	const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + sizeof header_size,
		static_cast<std::size_t>(header_size));
	const files::JsonDocument document = detail::parse_header(text, path);
	const files::JsonValue& header = document.root();
	if (!header.is(detail::Kind::object)) detail::damaged("its header is not a JSON object", path.string());
	Contents contents;
	std::vector<detail::Described> described;
	described.reserve(header.members().size());
	for (const auto& [key, entry] : header.members()) {
		const std::string name(key);
		if (name == "__metadata__")
		contents.metadata = detail::read_metadata(entry);
		else
		described.push_back(detail::describe(name, entry));
	}
	algo::stable_sort(described, {}, [](const auto& each) { return std::pair(each.begin, each.end); });
	const auto data = bytes.subspan(sizeof header_size + static_cast<std::size_t>(header_size));
	std::uint64_t expected = 0;
	contents.tensors.reserve(described.size());
	for (const auto& [name, dtype, shape, begin, end] : described) {
		if (begin != expected || end > data.size())
		detail::damaged("tensors overlap, leave a gap, or lie outside the file", name);
		expected = end;
		const auto part = data.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
		contents.tensors.emplace_back(name, files::tensor_over(part, dtype, file).view(shape));
	}
	if (expected != data.size()) detail::damaged("bytes follow that belong to no tensor", path.string());
	return contents;
}
}
#include <set>
namespace ferry::safetensors {
FERRY_INLINE void save(const std::filesystem::path& path,
		const std::vector<std::pair<std::string, at::Tensor>>& tensors,
		const std::map<std::string, std::string>& metadata) {
	struct Item {
		std::string_view name;
		at::Tensor tensor;
	};
	std::vector<Item> items;
	std::set<std::string_view> names;
	items.reserve(tensors.size());
	for (const auto& [name, tensor] : tensors) {
		const auto refuse = [&](ErrorKind kind, const std::string& what) {
		throw Error(kind, what, {.where = {.path = name}});
		};
		if (!tensor.defined()) refuse(ErrorKind::invalid_input, "a tensor that is to be saved is undefined");
		if (name == "__metadata__" || !names.insert(name).second)
		refuse(ErrorKind::invalid_input, "a tensor's name is taken, or one that the format keeps for itself");
		if (tensor.layout() != at::kStrided || word_of(to_dtype(tensor.scalar_type())).empty())
		refuse(ErrorKind::unsupported, ".safetensors has no tensors of " +
		std::string(c10::toString(tensor.scalar_type())) + " with the layout " +
		std::string(to_string(to_layout(tensor.layout()))));
		items.push_back({name, tensor.detach().cpu().resolve_conj().resolve_neg().contiguous()});
	}
	algo::stable_sort(items, std::greater<>{}, [](const Item& item) { return item.tensor.element_size(); });
	files::Json header = files::Json::object();
	if (!metadata.empty()) {
		files::Json texts = files::Json::object();
		for (const auto& [key, text] : metadata) texts.put(key, text);
		header.put("__metadata__", texts);
	}
	std::uint64_t place = 0;
	for (const auto& [name, tensor] : items) {
		const std::uint64_t end = place + tensor.nbytes();
		header.put(name, files::Json{{"dtype", word_of(to_dtype(tensor.scalar_type()))},
		{"shape", files::Json::array_of(tensor.sizes())},
		{"data_offsets", files::Json::array_of(std::array{place, end})}});
		place = end;
	}
	std::string text = header.text();
	text.append((8 - text.size() % 8) % 8, ' ');
	const std::uint64_t size = text.size();
	files::OutputFile file(path);
	file.write(std::as_bytes(std::span(&size, 1)));
	file.write(std::as_bytes(std::span(text)));
	for (const auto& [name, tensor] : items)
		file.write({static_cast<const std::byte*>(tensor.const_data_ptr()), static_cast<std::size_t>(tensor.nbytes())});
	file.commit();
}
}
#endif
#ifdef FERRY_COMPILED_SOURCE
#if __has_include(<ferry/pt2.hpp>)
#ifndef FERRY_COMPILED
#error \
	"ferry: what is compiled once needs FERRY_COMPILED, in every file of the program; the CMake target ferry::compiled sets it"
#endif
static_assert(ferry::detail::valid_list<ferry::plain_t<ferry::default_library_ops>>::ok);
#endif
#endif
