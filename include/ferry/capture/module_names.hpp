#pragma once

#include <ferry/capture/module_calls.hpp>
#include <ferry/capture/trace.hpp>

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::capture {

/// "layers.3.q" for "layers.3.q.weight" and "layers.3.q.bias", "layers.3" for "layers.3.q" and "layers.3.k".
[[nodiscard]] inline std::string_view common_module(std::string_view a, std::string_view b) {
    std::size_t same = 0;
    for (std::size_t i = 0; i <= std::min(a.size(), b.size()); ++i) {
        const bool a_ends = i == a.size() || a[i] == '.', b_ends = i == b.size() || b[i] == '.';
        if (a_ends && b_ends) same = i;
        if (i == a.size() || i == b.size() || a[i] != b[i]) break;
    }
    return a.substr(0, same);
}

/// Whether `path` is `module` or something inside of it.
[[nodiscard]] inline bool is_within(std::string_view path, std::string_view module) {
    return module.empty() || (path.starts_with(module) && (path.size() == module.size() || path[module.size()] == '.'));
}

/// Where in the model an op happens. C++ modules do not tell when they are called, unless through ferry::submodule; but most of them
/// have parameters, and those have names.
class ModuleNames {
public:
    ModuleNames() = default;
    ModuleNames(ModuleNames&&) = default;  // no copies: paths point into texts_
    ModuleNames& operator=(ModuleNames&&) = default;

    void add_tensor(const at::Tensor& tensor, std::string_view name) {
        const auto dot = name.rfind('.');
        if (tensor.defined())
            tensors_.emplace(tensor.unsafeGetTensorImpl(),
                             Place{intern(dot == std::string_view::npos ? "" : name.substr(0, dot)),
                                   intern(dot == std::string_view::npos ? name : name.substr(dot + 1))});
    }
    void add_module(const void* module, std::string_view path) { modules_.emplace(module, intern(path)); }
    /// Something that knows the running module by itself: an interpreter.
    void set_interpreter(std::function<std::string()> path) { interpreter_ = std::move(path); }

    [[nodiscard]] bool has(const at::Tensor& tensor) const { return tensors_.contains(tensor.unsafeGetTensorImpl()); }
    /// What its module calls it: "weight".
    [[nodiscard]] std::string_view name_of(const at::Tensor& tensor) const {
        const auto found = tensors_.find(tensor.unsafeGetTensorImpl());
        return found != tensors_.end() ? found->second.name : std::string_view();
    }

    /// The module that has announced itself on this thread, refined by the parameters that the op takes; empty when there is none.
    template <class Tensors>
    [[nodiscard]] std::string_view path_of(const Tensors& for_each_argument) {
        std::string_view announced;
        if (interpreter_) announced = intern(interpreter_());
        if (const ModuleCalls* calls = module_calls())
            for (std::size_t i = calls->running.size(); i-- > 0 && announced.empty();)
                if (const auto found = modules_.find(calls->running[i]); found != modules_.end())
                    announced = found->second;
        std::string_view owner;
        bool any = false;
        for_each_argument([&](const at::Tensor& tensor) {
            const auto found = tensors_.find(tensor.unsafeGetTensorImpl());
            if (found == tensors_.end()) return;
            owner = any ? intern(common_module(owner, found->second.module)) : found->second.module;
            any = true;
        });
        return any && is_within(owner, announced) ? owner : announced;
    }

    std::string_view intern(std::string_view text) {
        const auto found = texts_.find(text);
        return found != texts_.end() ? *found : *texts_.emplace(text).first;
    }

private:
    struct Place {
        std::string_view module;
        std::string_view name;
    };
    std::unordered_map<const void*, Place> tensors_;
    std::unordered_map<const void*, std::string_view> modules_;
    std::function<std::string()> interpreter_;
    std::set<std::string, std::less<>> texts_;  // never moves its elements
};

/// An op that nothing is known of lies in the innermost module that has both its neighbours in it.
inline void spread_modules(Trace& trace, ModuleNames& names) {
    std::vector<std::string_view> after(trace.ops.size() + 1);
    for (std::size_t i = trace.ops.size(); i-- > 0;)
        after[i] = trace.ops[i].module.empty() ? after[i + 1] : trace.ops[i].module;
    std::string_view before;
    for (std::size_t i = 0; i < trace.ops.size(); ++i) {
        if (trace.ops[i].module.empty())
            trace.ops[i].module = names.intern(common_module(before, after[i + 1]));
        else
            before = trace.ops[i].module;
    }
}

}  // namespace ferry::capture
