// rejects: ferry: an exporter needs `using Config = ...;`, the configuration that it takes
#include <ferry/recipes/auto_exporters.hpp>

struct MyConfig {
    static constexpr std::string_view format = "mine";
    [[nodiscard]] ferry::tree::Context to_dict() const;
    [[nodiscard]] static MyConfig from_dict(const ferry::tree::Context& dict);
};
struct MyExporter {
#ifndef FERRY_REJECT
    using Config = MyConfig;
#endif
    static constexpr std::string_view suffix = ".mine";
    template <class Model>
    [[nodiscard]] ferry::ExportedProgram export_model(Model& model, ferry::Inputs inputs, const MyConfig& config) const;
    [[nodiscard]] ferry::ExportedProgram export_program(ferry::ExportedProgram program, const MyConfig& config) const;
};
ferry::auto_exporters<MyExporter> used;
