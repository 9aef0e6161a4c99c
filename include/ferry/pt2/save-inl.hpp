#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/files/output_file.hpp>
#include <ferry/files/zip_writer.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/pt2/json.hpp>
#include <ferry/pt2/save.hpp>
#include <ferry/pt2/write_payloads.hpp>
#include <ferry/pt2/write_pickle.hpp>
#include <ferry/pt2/write_program.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

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

}  // namespace ferry
