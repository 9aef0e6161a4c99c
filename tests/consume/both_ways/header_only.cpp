#include "both_ways.hpp"

#ifdef FERRY_COMPILED
#error "this file is to use headers alone"
#endif

#include <ferry/dynamo/exporter.hpp>
#include <ferry/pt2/save.hpp>

#include <ATen/ops/ones.h>

void export_header_only(const std::filesystem::path& path) {
    ferry::DynamoExporter{}.export_model(model, ferry::inputs("x", at::ones({2, 4})), {.dynamic = true}).save(path);
}
