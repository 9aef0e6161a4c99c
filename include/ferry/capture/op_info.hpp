#pragma once

#include <ferry/capture/op_classes.hpp>
#include <ferry/capture/op_rules.hpp>
#include <ferry/capture/real_runs.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/graph/ivalue.hpp>

#include <ATen/core/dispatch/Dispatcher.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <vector>

namespace ferry::capture {

/// How an op runs on fake tensors when it has no rule.
enum class FakeRun : std::uint8_t {
    on_meta,   ///< libtorch has a kernel for them, as far as known
    by_parts,  ///< the kernel calls others, some of which have a rule or no kernel
    on_zeros,  ///< only on tensors with data
};

/// What a capture needs to know of an op, worked out at its first call.
struct OpInfo {
    c10::OperatorHandle op;
    std::string name;
    OpClass op_class = OpClass::ordinary;
    std::vector<c10::TypeKind> argument_kinds{};
    std::vector<std::size_t> written{};  ///< positions of arguments that it writes to
    std::optional<std::size_t> device{};
    bool returns_numbers = false;        ///< something that is no tensor
    const OpInfo* functional = nullptr;  ///< of an op that writes: the one that returns the result instead
    Kernel fake = nullptr;
    Kernel patch = nullptr;
    FakeRun runs_as = FakeRun::on_meta;
    bool is_random = false;     ///< gives other numbers at each call
    bool is_composite = false;  ///< made of other ops, for all backends alike
};

/// The op that returns what `name` writes: "add_.Tensor" -> "add.Tensor", "add.out" -> "add.Tensor" or "add".
[[nodiscard]] std::optional<c10::OperatorHandle> find_functional(const c10::FunctionSchema& schema);

namespace detail {

[[nodiscard]] inline bool is_out_variant(const c10::FunctionSchema& schema) {
    return !schema.arguments().empty() && schema.arguments().back().is_out();
}

}  // namespace detail

inline std::optional<c10::OperatorHandle> find_functional(const c10::FunctionSchema& schema) {
    const auto find = [](const std::string& of_name, const std::string& of_overload) {
        return c10::Dispatcher::singleton().findSchema({of_name, of_overload});
    };
    std::string name = schema.name();
    std::string overload = schema.overload_name();
    if (detail::is_out_variant(schema)) {
        if (overload.ends_with("_out")) return find(name, overload.substr(0, overload.size() - 4));
        if (auto found = find(name, "")) return found;
        return find(name, "Tensor");
    }
    if (name == "aten::normal_") return find("aten::normal_functional", "");
    if (name.ends_with("__") && name.find("::__i") != std::string::npos) {  // __iand__ -> __and__
        name.erase(name.find("::__i") + 4, 1);
        return find(name, overload);
    }
    if (!name.ends_with('_')) return find(name + "_functional", overload);
    name.pop_back();
    if (name == "aten::transpose") overload = "int";  // these two have another name
    if (name == "aten::bernoulli" && overload == "float") overload = "p";
    if (auto found = find(name, overload); found || overload != "Tensor") return found;
    return find(name, "");  // floor_divide_.Tensor
}

/// The ops met so far, shared by all runs of a capture.
class OpInfos {
public:
    explicit OpInfos(OpRules rules) : rules_(rules) {}

    [[nodiscard]] const OpRules& rules() const noexcept { return rules_; }
    [[nodiscard]] RealRuns& real_runs() noexcept { return real_runs_; }

    /// Whether an op that was met runs on tensors with data, so that its cost grows with their sizes.
    [[nodiscard]] bool any_computes() const {
        return algo::any_of(infos_, [](const auto& each) {
            return each.second.runs_as == FakeRun::on_zeros && each.second.fake == nullptr &&
                   each.second.op_class == OpClass::ordinary && each.second.written.empty();
        });
    }

    OpInfo& of(const c10::OperatorHandle& op) {
        const auto found = infos_.find(&op.schema());
        return found != infos_.end() ? found->second : add(op);
    }

private:
    OpInfo& add(const c10::OperatorHandle& op);

    OpRules rules_;
    RealRuns real_runs_;
    std::unordered_map<const c10::FunctionSchema*, OpInfo> infos_;
};

inline OpInfo& OpInfos::add(const c10::OperatorHandle& op) {
    const c10::FunctionSchema& schema = op.schema();
    OpInfo& info = infos_.emplace(&schema, OpInfo{.op = op, .name = c10::toString(op.operator_name())}).first->second;
    info.op_class = class_of(info.name);
    for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
        const c10::Argument& argument = schema.arguments()[i];
        info.argument_kinds.push_back(ferry::detail::element_kind(argument.real_type().get()));
        if (argument.alias_info() != nullptr && argument.alias_info()->isWrite()) info.written.push_back(i);
        if (argument.name() == "device") info.device = i;
    }
    for (const c10::Argument& returned : schema.returns())
        if (ferry::detail::element_kind(returned.real_type().get()) != c10::TypeKind::TensorType)
            info.returns_numbers = true;
    info.fake = rules_.fake(info.name);
    info.patch = rules_.patch(info.name);
    const bool runs_on_meta = op.hasKernelForDispatchKey(c10::DispatchKey::Meta) ||
                              op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd) ||
                              op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd) ||
                              op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutogradNonFunctional);
    info.runs_as = runs_on_meta ? FakeRun::on_meta : FakeRun::on_zeros;
    info.is_random = op.hasTag(at::Tag::nondeterministic_seeded);
    info.is_composite = op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
    if (!info.written.empty())
        if (const auto functional = find_functional(schema))
            info.functional = &of(*functional);  // addresses in the map are stable
    return info;
}

}  // namespace ferry::capture
