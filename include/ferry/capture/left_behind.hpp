#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/UndefinedTensorImpl.h>
#include <c10/util/intrusive_ptr.h>

#include <cstddef>
#include <string>
#include <vector>

namespace ferry::capture {

/// Knows which fake tensors are still held when an export is over: the model keeps them in members that nobody can list. Those of the
/// first run are watched, which a model keeps that makes something once, and those of the last, which it keeps otherwise.
class LeftBehindWatch {
public:
    void begin_run() {
        if (runs_++ > 1) last_.clear();
    }
    void add(const at::Tensor& fake) { (runs_ > 1 ? last_ : first_).emplace_back(fake.getIntrusivePtr()); }

    /// The sizes of one that is still there, as text; empty if there is none.
    [[nodiscard]] std::string find() const {
        for (const auto* fakes : {&last_, &first_})
            for (const Weak& fake : *fakes) {
                const auto held = fake.lock();
                if (!held) continue;
                std::string text = "[";
                for (const std::int64_t size : held->sizes())
                    text.append(text.size() > 1 ? ", " : "").append(std::to_string(size));
                return text + "]";
            }
        return {};
    }

private:
    using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
    std::vector<Weak> first_, last_;
    std::size_t runs_ = 0;
};

}  // namespace ferry::capture
