// Makes, loads and saves .pt2 files; prints one line of JSON. One file per process, so that the peak of memory is that of one.
#include "llama.hpp"
#include "measure.hpp"

#include <ferry/dynamo/exporter.hpp>
#include <ferry/pt2/load.hpp>
#include <ferry/pt2/save.hpp>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

namespace {

void make(const llama::Config& config, const std::string& path) {
    llama::Model model(config);
    model.eval();
    const torch::NoGradGuard no_gradients;
    const auto sample = ferry::inputs("input_ids", torch::ones({2, 7}, torch::kLong), "attention_mask",
                                      torch::ones({2, 7}, torch::kLong));
    ferry::DynamoExporter{}.export_model(model, sample, {.dynamic = true}).save(path);
}

}  // namespace

int main(int count, char** words) try {
    const std::string_view verb = count > 1 ? words[1] : "";
    if (verb == "make" && count == 5) {
        llama::Config config{.layers = std::atol(words[2])};
        if (const auto hidden = std::atol(words[3]); hidden != 0) {
            config.hidden = hidden;
            config.inner = 4 * hidden;
            config.heads = config.key_heads = hidden / 128;
        }
        make(config, words[4]);
    } else if (verb == "load" && count == 4) {
        bench::measure(std::atol(words[3]), [&] { return ferry::load(words[2]).graph.num_nodes(); });
    } else if (verb == "save" && count == 5) {
        const auto program = ferry::load(words[2]);
        bench::measure(std::atol(words[4]), [&] {
            program.save(words[3]);
            return program.graph.num_nodes();
        });
    } else {
        std::cerr << "usage: files make LAYERS HIDDEN FILE | files load FILE RUNS | files save FILE OTHER RUNS\n";
        return 2;
    }
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
