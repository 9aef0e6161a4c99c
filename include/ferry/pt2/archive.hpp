#pragma once

#include <ferry/core/error.hpp>
#include <ferry/files/mapped_file.hpp>
#include <ferry/files/torch_zip.hpp>
#include <ferry/files/zip_reader.hpp>
#include <ferry/pt2/read_json.hpp>
#include <ferry/pt2/read_payloads.hpp>
#include <ferry/pt2/read_pickle.hpp>
#include <ferry/tree/leaf.hpp>
#include <ferry/tree/spec.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ferry::pt2 {

/// A .pt2 archive: a zip whose entries lie in one folder.
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
    /// What the program was exported with, where it is made of plain values; objects of Python are passed over.
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

}  // namespace ferry::pt2
