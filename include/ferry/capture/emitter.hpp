#pragma once

#include <ferry/capture/trace.hpp>
#include <ferry/graph/argument.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Something that rules write ops to; without a vtable, as OpHandler.
class OpEmitter {
public:
    OpEmitter(const OpEmitter&) = delete;  // the trace is that of the object itself
    OpEmitter& operator=(const OpEmitter&) = delete;

    /// Records a call of `op` with these leading arguments and gives its outputs; the rest keeps the schema's defaults.
    std::vector<Value> emit(std::string_view op, std::vector<Argument> arguments) {
        return emit_(*this, op, std::move(arguments));
    }
    [[nodiscard]] const TraceValue& value(Value value) const { return trace_.values[value.index]; }

protected:
    using Emit = std::vector<Value> (*)(OpEmitter&, std::string_view, std::vector<Argument>);
    OpEmitter(Emit emit, const Trace& trace) noexcept : emit_(emit), trace_(trace) {}
    ~OpEmitter() = default;

private:
    Emit emit_;
    const Trace& trace_;
};

}  // namespace ferry::capture
