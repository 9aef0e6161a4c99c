#pragma once

#include <ferry/capture/trace.hpp>
#include <ferry/graph/argument.hpp>

#include <string_view>
#include <vector>

namespace ferry::capture {

/// Something that rules write ops to.
class OpEmitter {
public:
    /// Records a call of `op` with these leading arguments and gives its outputs; the rest keeps the schema's defaults.
    virtual std::vector<Value> emit(std::string_view op, std::vector<Argument> arguments) = 0;
    [[nodiscard]] virtual const TraceValue& value(Value value) const = 0;

protected:
    ~OpEmitter() = default;
};

}  // namespace ferry::capture
