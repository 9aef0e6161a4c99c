// How a case of op_case.hpp is run in libtorch, and held against what a backend makes of it.
#pragma once

#include "op_case.hpp"

#include <ferry/capture/dim.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/ivalue.hpp>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ferry_test {

/// What letters stand for: in the capture, and in a second run.
inline std::int64_t size_of(CaseSize size, std::size_t run) {
    if (size.letter == 0) return size.number;
    static constexpr std::int64_t sizes[2][6] = {{4, 6, 3, 5, 8, 10}, {7, 2, 5, 3, 4, 6}};
    return sizes[run][(size.letter - 'a') % 6];
}

/// Of the numbers from low to high, so many in any order.
inline at::Tensor distinct_numbers(std::vector<std::int64_t> sizes, std::int64_t low, std::int64_t high) {
    const std::int64_t count = std::exchange(sizes.back(), high - low + 1);
    return std::get<1>(at::rand(sizes).sort(-1)).slice(-1, 0, count) + low;
}

inline at::Tensor any_tensor(const CaseTensor& wanted, std::size_t run) {
    std::vector<std::int64_t> sizes;
    for (const CaseSize& size : wanted.sizes) sizes.push_back(size_of(size, run));
    const auto dtype = ferry::to_c10(wanted.dtype);
    if (wanted.dtype == ferry::DType::boolean) return at::rand(sizes).gt(0.4);
    if (!ferry::is_floating_point(wanted.dtype)) {
        const auto [low, high] =
            wanted.range.value_or(wanted.dtype == ferry::DType::uint8 ? std::pair(0.0, 9.0) : std::pair(-5.0, 5.0));
        const auto from = static_cast<std::int64_t>(low), to = static_cast<std::int64_t>(high);
        if (wanted.is_distinct) return distinct_numbers(sizes, from, to).to(dtype);
        return at::randint(from, to + 1, sizes).to(dtype);
    }
    if (!wanted.range) return at::randn(sizes).to(dtype);
    if (!(wanted.range->first < wanted.range->second)) return at::full(sizes, wanted.range->first).to(dtype);
    return (at::rand(sizes) * (wanted.range->second - wanted.range->first) + wanted.range->first).to(dtype);
}

inline at::Tensor random_tensor(const CaseTensor& wanted, std::size_t run) {
    const at::Tensor made = any_tensor(wanted, run);
    if (wanted.is_definite) return made.matmul(made.mT()) + at::eye(made.size(-1), made.options());
    return wanted.is_sorted ? std::get<0>(made.sort(-1)) : made;
}

/// The call itself. Sizes among the arguments are read off the tensors, as a model would.
inline std::vector<at::Tensor> call(const OpCase& test, const std::vector<at::Tensor>& tensors) {
    const auto op = ferry::find_op(test.op);
    if (!op) throw std::runtime_error("there is no op " + test.op);
    std::map<char, std::int64_t> letters;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        for (std::size_t dim = 0; dim < test.tensors[i].sizes.size(); ++dim)
            if (const char letter = test.tensors[i].sizes[dim].letter)
                letters[letter] = tensors[i].size(static_cast<std::int64_t>(dim));
    const std::function<ferry::Argument(const ferry::Argument&)> bound =
        [&](const ferry::Argument& argument) -> ferry::Argument {
        if (const auto* letter = argument.get_if<ferry::Subgraph>())
            return letters.at(static_cast<char>(letter->index));
        if (const auto* list = argument.get_if<ferry::ArgumentList>()) {
            ferry::ArgumentList made;
            for (const ferry::Argument& item : *list) made.push_back(bound(item));
            return made;
        }
        return argument;
    };
    const auto lookup = [&](ferry::Value value) -> c10::IValue { return tensors.at(value.index); };
    torch::jit::Stack stack;
    const auto& arguments = op->schema().arguments();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const CaseArgument* given = nullptr;
        for (std::size_t k = 0; k < test.arguments.size(); ++k)
            if (test.arguments[k].name == arguments[i].name() || (test.arguments[k].name.empty() && k == i))
                given = &test.arguments[k];
        if (given != nullptr)
            stack.push_back(ferry::to_ivalue(bound(given->value), *arguments[i].real_type(), lookup));
        else
            stack.push_back(arguments[i].default_value().value_or(c10::IValue()));
    }
    op->callBoxed(stack);
    std::vector<at::Tensor> results;
    for (const c10::IValue& value : stack) {
        if (value.isTensorList())
            for (const at::Tensor& each : value.toTensorVector()) results.push_back(each);
        else if (value.isTensor())
            results.push_back(value.toTensor());
    }
    if (test.only) return {results.at(*test.only)};
    return results;
}

/// What rounding may do, by dtype. A runtime may compute with less than the dtype has.
using Tolerance = double (*)(at::ScalarType);
inline double tolerance(at::ScalarType dtype) {
    switch (dtype) {
        case at::kDouble: return 1e-9;
        case at::kFloat: return 2e-5;
        case at::kHalf: return 4e-3;
        case at::kBFloat16: return 3e-2;
        default: return 0;
    }
}

inline std::string difference(const at::Tensor& found, const at::Tensor& expected, bool is_random,
                              Tolerance tolerance_of = &tolerance) {
    if (found.scalar_type() != expected.scalar_type()) return "another dtype";
    if (found.sizes() != expected.sizes()) {
        std::ostringstream out;
        out << "sizes " << found.sizes() << " for " << expected.sizes();
        return out.str();
    }
    if (is_random) {
        const at::Tensor a = found.to(at::kDouble), b = expected.to(at::kDouble);
        const double allowed = 0.2 * b.std().item<double>() + 1e-9;
        const double mean = (a.mean() - b.mean()).abs().item<double>();
        const double deviation = (a.std() - b.std()).abs().item<double>();
        return mean <= allowed && deviation <= allowed ? "" : "another distribution";
    }
    const double allowed = tolerance_of(expected.scalar_type());
    const bool is_float = at::isFloatingType(expected.scalar_type());
    const at::Tensor a = is_float ? found.to(at::kDouble) : found, b = is_float ? expected.to(at::kDouble) : expected;
    if (at::allclose(a, b, allowed, allowed, /*equal_nan=*/true)) return {};
    return "other numbers, by up to " +
           std::to_string((a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>());
}

inline std::vector<at::Tensor> random_tensors(const OpCase& test, std::size_t run) {
    std::vector<at::Tensor> made;
    for (const CaseTensor& tensor : test.tensors) made.push_back(random_tensor(tensor, run));
    return made;
}

/// A case is the same in each process.
inline void seed(const OpCase& test) { at::manual_seed(std::hash<std::string>{}(test.text) % 100003); }

/// Which dimensions of the argument `tensors` vary.
inline ferry::DynamicShapes shapes_of(const OpCase& test) {
    ferry::DynamicShapes shapes;
    for (std::size_t i = 0; i < test.tensors.size(); ++i)
        for (std::size_t dim = 0; dim < test.tensors[i].sizes.size(); ++dim)
            if (const char letter = test.tensors[i].sizes[dim].letter)
                shapes["tensors." + std::to_string(i)].insert_or_assign(static_cast<std::int64_t>(dim),
                                                                        ferry::Dim(std::string(1, letter)));
    return shapes;
}

inline std::vector<std::string> lines_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && line[0] != '#') lines.push_back(line);
    return lines;
}

/// All cases, with one dtype for each set; `only`: those with this text in them.
template <class Visit>
void for_each_case(const std::filesystem::path& folder, const char* only, Visit&& visit) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".txt") files.push_back(entry.path());
    if (files.empty()) throw std::runtime_error("there are no cases in " + folder.string());
    std::sort(files.begin(), files.end());
    for (const auto& file : files)
        for (const std::string& line : lines_of(file)) {
            if (only != nullptr && line.find(only) == std::string::npos) continue;
            for (const std::string& text : expand_sets(line)) visit(CaseReader(text).read());
        }
}

}  // namespace ferry_test
