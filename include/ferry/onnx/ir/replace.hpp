#pragma once

#include <ferry/onnx/ir/model.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ferry::onnx {

/// Values that others stand for from now on. Outputs of graphs keep their own: they have names that somebody knows.
class Replacements {
public:
    explicit Replacements(const Model& model) : stands_for_(model.num_values()), is_output_(model.num_values()) {
        for (std::uint32_t i = 0; i < stands_for_.size(); ++i) stands_for_[i] = Ref{i};
        for (const Body& body : model.bodies)
            for (const Ref output : body.outputs) is_output_[output.index] = true;
    }

    [[nodiscard]] Ref operator[](Ref value) const {
        return value && value.index < stands_for_.size() ? stands_for_[value.index] : value;
    }
    [[nodiscard]] bool is_output(Ref value) const { return is_output_[value.index]; }

    /// False where the value is an output of a graph. `by` is what its own replacement is.
    bool replace(Ref value, Ref by) {
        if (is_output(value)) return false;
        stands_for_[value.index] = (*this)[by];
        changed_ = true;
        return true;
    }
    void apply(Node& node) const {
        for (Ref& input : node.inputs) input = (*this)[input];
    }
    /// To all nodes; what was applied on the way is applied again, at no harm.
    bool apply(Model& model) const {
        if (changed_)
            for (Body& body : model.bodies)
                for (Node& node : body.nodes) apply(node);
        return changed_;
    }

private:
    std::vector<Ref> stands_for_;
    std::vector<bool> is_output_;
    bool changed_ = false;
};

}  // namespace ferry::onnx
