#include "both_ways.hpp"

#include <ferry/program/module.hpp>
#include <ferry/pt2/load.hpp>

at::Tensor run_loaded(const std::filesystem::path& path, const at::Tensor& x) {
    return ferry::load(path).module()(ferry::inputs("x", x)).leaves.at(0).tensor();
}
