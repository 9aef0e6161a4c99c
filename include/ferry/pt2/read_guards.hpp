#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/log.hpp>
#include <ferry/graph/detail/sym_scanner.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_parse.hpp>
#include <ferry/program/check_guards.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/guard.hpp>
#include <ferry/program/named_inputs.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::pt2 {

/// Guards are Python code: arithmetic over what they call L['past'][0].size()[2].
class GuardReader {
public:
    explicit GuardReader(const ExportedProgram& program) : program_(program) {
        const auto slots = input_slots(program);
        std::vector<const InputSpec*> leaves;
        for (const InputSpec& input : program.signature.inputs)
            if (input.kind == InputKind::user_input) leaves.push_back(&input);
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            inputs_.emplace(slots.at(i).path, leaves[i]);
            inputs_.emplace("flat_args." + std::to_string(i), leaves[i]);
        }
        // Python counts the tensors of an object whose parts it has no names for. Behind all names: a list has such numbers itself.
        std::map<std::string, std::size_t> counts;  // of each argument
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            const std::string argument = slots[i].path.substr(0, slots[i].path.find('.'));
            inputs_.emplace(argument + "." + std::to_string(counts[argument]++), leaves[i]);
        }
    }

    [[nodiscard]] Guard read(const std::string& text) const {
        try {
            return {text, condition(text)};
        } catch (const Error& error) {
            const Guard guard{text};
            log(LogLevel::warning, "the program holds under a condition that is not understood, and not checked: " +
                                       in_words(guard) + " (" + error.message() + ")");
            return guard;
        }
    }

private:
    /// One number of an input: where the input is, and which method gives the number; no method: the input itself.
    struct Source {
        std::vector<std::string_view> path{};
        std::string_view method{};
        std::size_t index = 0;
    };

    [[nodiscard]] SymExpr condition(std::string_view text) const {
        std::string over_symbols;
        SymMap<SymExpr> numbers;
        for (std::size_t at = 0; at < text.size();) {
            const bool is_source =
                text.substr(at, 2) == "L[" && (at == 0 || !detail::SymScanner::is_name(text[at - 1]));
            if (!is_source) {
                over_symbols += text[at++];
                continue;
            }
            const std::string name = "input" + std::to_string(over_symbols.size());
            numbers.set(name, number(scan(text, ++at)));
            over_symbols += name;
        }
        const SymExpr parsed = parse_sym_expr(over_symbols);
        if (parsed.type() != SymType::boolean) throw Error(ErrorKind::bad_file, "it is no condition");
        return substitute(parsed, numbers);
    }

    [[nodiscard]] static Source scan(std::string_view text, std::size_t& at) {
        Source source;
        const auto until = [&](std::size_t end, std::size_t skipped) {
            if (end == std::string_view::npos) throw Error(ErrorKind::bad_file, "it has no end");
            const auto found = text.substr(at, end - at);
            at = end + skipped;
            return found;
        };
        while (at < text.size()) {
            if (text[at] == '[') {
                const char quote = text.substr(++at, 1) == "'" ? '\'' : text.substr(at, 1) == "\"" ? '"' : '\0';
                const std::string_view key =
                    quote != '\0' ? until(text.find(quote, ++at), 2) : until(text.find(']', at), 1);
                if (source.method.empty()) {
                    source.path.push_back(key);
                    continue;
                }
                const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), source.index);
                if (error != std::errc() || end != key.data() + key.size())
                    throw Error(ErrorKind::bad_file, "it has an index that is no number");
                break;
            }
            if (text[at] != '.') break;
            std::size_t end = ++at;
            while (end < text.size() && detail::SymScanner::is_name(text[end])) ++end;
            const std::string_view word = until(end, 0);
            if (text.substr(at, 2) != "()") {
                source.path.push_back(word);
                continue;
            }
            source.method = word;
            at += 2;
        }
        return source;
    }

    [[nodiscard]] const InputSpec& find(const std::vector<std::string_view>& path) const {
        std::string dotted, flat;  // Python takes *args apart: args[0] is args_0 in the signature
        for (std::size_t i = 0; i < path.size(); ++i) {
            dotted.append(i == 0 ? "" : ".").append(path[i]);
            flat.append(i == 0 ? "" : i == 1 ? "_" : ".").append(path[i]);
        }
        for (const std::string& name : {dotted, flat})
            if (const auto found = inputs_.find(name); found != inputs_.end()) return *found->second;
        throw Error(ErrorKind::bad_file, "there is no input '" + dotted + "'");
    }

    [[nodiscard]] SymExpr number(const Source& source) const {
        const InputSpec& input = find(source.path);
        const auto* value = input.argument.get_if<Value>();
        if (value == nullptr) {
            const auto* fixed = input.argument.get_if<std::int64_t>();
            if (fixed != nullptr && source.method.empty()) return *fixed;
        } else {
            const ValueInfo& about = program_.graph.info(*value);
            if (source.method.empty() && about.kind == ValueKind::sym_int) return about.symbol;
            const auto& numbers = source.method == "size" ? about.tensor.sizes : about.tensor.strides;
            if ((source.method == "size" || source.method == "stride") && source.index < numbers.size())
                return numbers[source.index];
        }
        throw Error(ErrorKind::unsupported, "it is about something else than sizes");
    }

    const ExportedProgram& program_;
    std::map<std::string, const InputSpec*> inputs_;
};

}  // namespace ferry::pt2
