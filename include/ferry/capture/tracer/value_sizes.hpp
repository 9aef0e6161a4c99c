#pragma once

#include <ferry/capture/boxed_tensors.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/stated_sizes.hpp>
#include <ferry/capture/tracer/run_fake.hpp>
#include <ferry/capture/unbacked.hpp>

#include <c10/util/Exception.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ferry::capture {

namespace detail {

/// Answers with a size that no probe has.
class OddSizes final : public SizeSource {
public:
    static constexpr std::int64_t odd = 1'299'709;

    OddSizes()
        : SizeSource([](SizeSource&, ValueRange) { return odd; }, [](SizeSource&, const at::Tensor&) { return odd; }) {}
};

}  // namespace detail

/// Which sizes of an op's results are as large as the values say. Its rule alone knows, and is asked with an odd size.
[[nodiscard]] inline std::vector<ResultSize> value_sizes(FakeRunner& runner, OpInfo& info,
                                                         const torch::jit::Stack& stack) {
    std::vector<ResultSize> found;
    if (info.fake == nullptr || !depends_on_values(info.op)) return found;
    torch::jit::Stack copy(stack.end() - static_cast<std::ptrdiff_t>(info.op.schema().arguments().size()), stack.end());
    detail::OddSizes odd;
    try {
        runner.run(info, copy, odd);
    } catch (const c10::Error&) {
        return found;  // and so it will be when it runs in earnest
    }
    for (std::size_t i = 0; i < copy.size(); ++i) {
        if (!copy[i].isTensor() || !copy[i].toTensor().defined()) continue;
        const auto sizes = copy[i].toTensor().sizes();
        for (std::size_t dim = 0; dim < sizes.size(); ++dim)
            if (sizes[dim] == detail::OddSizes::odd) found.push_back({i, dim});
    }
    return found;
}

}  // namespace ferry::capture
