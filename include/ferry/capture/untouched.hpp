#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>

#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Everything that a real run of a model may change, put back at the end: the values of its state, and the random numbers.
class Untouched {
public:
    explicit Untouched(std::span<const at::Tensor> state)
        : generator_(at::detail::getDefaultCPUGenerator()), random_(generator_.get_state()) {
        for (const at::Tensor& tensor : state)
            if (tensor.defined() && !tensor.is_meta()) before_.emplace_back(tensor, tensor.detach().clone());
    }
    Untouched(const Untouched&) = delete;
    Untouched& operator=(const Untouched&) = delete;
    ~Untouched() {
        put_back();
        const std::scoped_lock lock(generator_.mutex());
        generator_.set_state(random_);
    }

    void put_back() {
        const c10::AutoGradMode no_gradients(false);
        for (auto& [tensor, value] : before_) tensor.copy_(value);
    }
    void seed(std::uint64_t number) {
        const std::scoped_lock lock(generator_.mutex());
        generator_.set_current_seed(number);
    }

private:
    at::Generator generator_;
    at::Tensor random_;
    std::vector<std::pair<at::Tensor, at::Tensor>> before_;
};

}  // namespace ferry::capture
