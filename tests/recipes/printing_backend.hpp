// A backend of a user: the program as text. Ferry knows nothing of it.
#pragma once

#include <ferry/dynamo/exporter.hpp>
#include <ferry/dynamo/settings.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

namespace printing {

struct PrintConfig {
    static constexpr std::string_view format = "print";
    ferry::DynamoConfig capture{};
    std::string title = "a model";

    [[nodiscard]] const ferry::DynamoConfig& dynamo() const { return capture; }
    [[nodiscard]] ferry::Settings settings() {
        return {format,
                {{"dynamic", &capture.dynamic}, {"dynamic_shapes", &capture.dynamic_shapes}, {"title", &title}}};
    }
    [[nodiscard]] ferry::tree::Context to_dict() const { return PrintConfig(*this).settings().to_dict(); }
    [[nodiscard]] static PrintConfig from_dict(const ferry::tree::Context& dict) {
        PrintConfig made;
        made.settings().read(dict);
        return made;
    }
};

struct Text {
    std::string text;
    void save(const std::filesystem::path& path) const { std::ofstream(path) << text; }
};

struct PrintExporter {
    using Config = PrintConfig;
    static constexpr std::string_view suffix = ".txt";

    [[nodiscard]] Text export_program(const ferry::ExportedProgram& program, const PrintConfig& config) const {
        return {config.title + '\n' + program.print()};
    }
    template <class Model>
    [[nodiscard]] Text export_model(Model&& model, ferry::Inputs inputs, const PrintConfig& config) const {
        return export_program(ferry::DynamoExporter<>{}.export_model(model, std::move(inputs), config.capture), config);
    }
};

}  // namespace printing
