#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/files/mapped_file.hpp>
#include <ferry/files/zip_reader.hpp>
#include <ferry/graph/library_ops.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/libraries/default_libraries.hpp>
#include <ferry/pt2/read_json.hpp>
#include <ferry/pt2/read_payloads.hpp>
#include <ferry/pt2/read_pickle.hpp>
#include <ferry/pt2/read_program.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ferry {
namespace pt2 {

/// A .pt2 archive: a zip whose entries lie in one folder.
class Archive {
public:
    explicit Archive(const std::filesystem::path& path) : file_(files::MappedFile::open(path)), zip_(file_->bytes()) {
        const auto refuse = [&](const std::string& what, std::string hint = {}) {
            throw Error(ErrorKind::bad_file, what, {.hint = std::move(hint), .where = {.path = path.string()}});
        };
        if (zip_.entries().empty()) refuse("the archive is empty");
        const std::string& first = zip_.entries()[0].name;
        root_ = first.substr(0, first.find('/') + 1);
        if (zip_.find("serialized_exported_program.json") != nullptr ||
            find("serialized_exported_program.json") != nullptr)
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
    [[nodiscard]] Parsed json(const std::string& name) const {
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

}  // namespace pt2

struct LoadOptions {
    std::string model{};  ///< which of several programs in the file; need not be given where there is one
};

namespace pt2 {

[[nodiscard]] inline ExportedProgram load_program(const std::filesystem::path& path, const LoadOptions& options,
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
    const Parsed json = archive.json("models/" + model + ".json");
    ExportedProgram program = ProgramReader(json, provide).read();
    const Parsed weights_config = archive.json("data/weights/" + model + "_weights_config.json");
    const Parsed constants_config = archive.json("data/constants/" + model + "_constants_config.json");
    PayloadReader weights = archive.payloads("data/weights/", weights_config);
    PayloadReader constants = archive.payloads("data/constants/", constants_config);
    std::unordered_set<std::string> seen;
    for (const InputSpec& input : program.signature.inputs) {
        if (input.kind == InputKind::user_input || !seen.insert(input.target).second) continue;
        if (input.kind == InputKind::parameter || (input.kind == InputKind::buffer && input.persistent))
            program.state.emplace_back(input.target, weights.read(input.target));
        else
            program.constants.emplace_back(input.target, constants.read(input.target));
    }
    program.example_inputs = archive.example(model, program.in_spec);
    return program;
}

}  // namespace pt2

/// Reads a program that torch 2.9 to 2.12, or Ferry, has saved. Its tensors' memory is the file's, mapped, which must not be cut
/// short while they are in use. Example inputs are there if they are tensors and plain values; no code of the file is ever run.
/// `LibraryOps` are ops of Python libraries that the program may use, beside those that Ferry knows.
template <class LibraryOps = library_ops<>>
[[nodiscard]] ExportedProgram load(const std::filesystem::path& path, const LoadOptions& options = {}) {
    static_assert(entry_list<LibraryOps>, "ferry: load takes a list of ops, e.g. ferry::library_ops<my_op>");
    return pt2::load_program(path, options, &provide_op<concat_t<default_library_ops, LibraryOps>>);
}

}  // namespace ferry
