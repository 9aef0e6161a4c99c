// rejects: ferry: two exporters of one list have the same name
#include <ferry/recipes/auto_exporters.hpp>

template <int Number>
struct MyConfig {
#ifdef FERRY_REJECT
    static constexpr std::string_view format = "mine";
#else
    static constexpr std::string_view format = Number == 0 ? "mine" : "other";
#endif
    [[nodiscard]] ferry::tree::Context to_dict() const;
    [[nodiscard]] static MyConfig from_dict(const ferry::tree::Context& dict);
};
template <int Number>
struct MyExporter {
    using Config = MyConfig<Number>;
    static constexpr std::string_view suffix = ".mine";
    template <class Model>
    [[nodiscard]] ferry::ExportedProgram export_model(Model& model, ferry::Inputs inputs, const Config& config) const;
    [[nodiscard]] ferry::ExportedProgram export_program(ferry::ExportedProgram program, const Config& config) const;
};
ferry::auto_exporters<MyExporter<0>, MyExporter<1>> used;
