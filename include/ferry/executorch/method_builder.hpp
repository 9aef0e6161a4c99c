#pragma once

#include <ferry/executorch/method.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace ferry::executorch {

/// Adds values and instructions to a method and keeps track of how long the memory of each tensor is in use.
class MethodBuilder {
public:
    explicit MethodBuilder(std::string name) { method_.name = std::move(name); }

    [[nodiscard]] Method& method() noexcept { return method_; }
    [[nodiscard]] std::size_t next_instruction() const noexcept { return method_.instructions.size(); }

    // Constants, each once.
    [[nodiscard]] Id none() { return none_ != no_value ? none_ : none_ = method_.add({}); }
    [[nodiscard]] Id integer(std::int64_t value) { return once(integers_, value); }
    [[nodiscard]] Id flag(bool value) { return once(flags_, value); }
    [[nodiscard]] Id real(double value) { return method_.add(value); }
    [[nodiscard]] Id text(std::string value) { return method_.add(std::move(value)); }
    [[nodiscard]] Id integers(std::vector<Id> items) { return method_.add(IntList{std::move(items)}); }

    // Tensors.
    /// With memory of its own, from the next instruction on.
    [[nodiscard]] Id add_tensor(TensorValue value) {
        value.buffer = static_cast<std::int32_t>(method_.buffers.size());
        method_.buffers.push_back({.bytes = bytes_of(value), .first = next_instruction(), .last = next_instruction()});
        return method_.add(std::move(value));
    }
    [[nodiscard]] static std::uint64_t bytes_of(const TensorValue& value) {
        std::uint64_t bytes = info(value.dtype).bytes;
        for (const std::int32_t size : value.sizes) bytes *= static_cast<std::uint64_t>(size);
        return bytes;
    }
    /// The next instruction needs it, whatever tensor it is or list of them.
    void touch(Id id) {
        if (id == no_value) return;
        const MethodValue& value = method_.values[static_cast<std::size_t>(id)];
        if (const auto* tensor = std::get_if<TensorValue>(&value); tensor && tensor->buffer >= 0) {
            Buffer& buffer = method_.buffers[static_cast<std::size_t>(tensor->buffer)];
            buffer.last = std::max(buffer.last, next_instruction());
        }
        if (const auto* list = std::get_if<TensorList>(&value))
            for (const Id each : list->items) touch(each);
        if (const auto* list = std::get_if<OptionalTensorList>(&value))
            for (const Id each : list->items) touch(each);
        if (const auto moved = moved_.find(id); moved != moved_.end())
            for (const Id each : moved->second) touch(each);
    }

    // Instructions.
    void call(std::string_view kernel, std::vector<Id> args) {
        for (const Id each : args) touch(each);
        method_.instructions.emplace_back(KernelCall{operator_of(kernel), std::move(args)});
    }
    void call(DelegateData delegate, std::vector<Id> args) {
        for (const Id each : args) touch(each);
        const auto number = static_cast<std::uint32_t>(method_.delegates.size());
        method_.delegates.push_back(std::move(delegate));
        method_.instructions.emplace_back(DelegateCall{number, std::move(args)});
    }
    /// `to` becomes another name of `from`, whose memory is in use as long as either is.
    void move(Id from, Id to) {
        touch(from);
        method_.instructions.emplace_back(Move{from, to});
        moved_[to].push_back(from);
    }
    /// Gives the place of the jump, whose destination is set when it is known.
    [[nodiscard]] std::size_t jump_if_false(Id condition) {
        touch(condition);
        method_.instructions.emplace_back(JumpFalse{condition, 0});
        return method_.instructions.size() - 1;
    }
    void jump_here(std::size_t jump) { jump_to(jump, next_instruction()); }
    void jump_to(std::size_t jump, std::size_t instruction) {
        std::get<JumpFalse>(method_.instructions[jump]).destination = instruction;
    }

private:
    template <class Known, class Value>
    Id once(Known& known, Value value) {
        const auto [found, is_new] = known.try_emplace(value, no_value);
        if (is_new) found->second = method_.add(value);
        return found->second;
    }
    [[nodiscard]] std::uint32_t operator_of(std::string_view kernel) {
        const auto [found, is_new] =
            operators_.try_emplace(std::string(kernel), static_cast<std::uint32_t>(method_.operators.size()));
        if (is_new) {
            const std::size_t dot = kernel.find('.');
            method_.operators.push_back({std::string(kernel.substr(0, dot)),
                                         dot == kernel.npos ? std::string() : std::string(kernel.substr(dot + 1))});
        }
        return found->second;
    }

    Method method_;
    Id none_ = no_value;
    std::unordered_map<std::int64_t, Id> integers_;
    std::map<bool, Id> flags_;
    std::unordered_map<std::string, std::uint32_t> operators_;
    std::unordered_map<Id, std::vector<Id>> moved_;
};

}  // namespace ferry::executorch
