// Reads an expression a line, with the values of its symbols after a tab (`s0=3 s1=5`), and prints how Ferry writes it in both
// forms and what it makes of the values. tests/graph/peer_sympy.py compares that with sympy.
#include <ferry/graph/sym_eval.hpp>
#include <ferry/graph/sym_parse.hpp>
#include <ferry/graph/sym_print.hpp>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        try {
            const auto tab = line.find('\t');
            ferry::SymBindings bindings;
            if (tab != std::string::npos) {
                std::istringstream words(line.substr(tab + 1));
                for (std::string word; words >> word;)
                    bindings.set(word.substr(0, word.find('=')), std::atoll(word.c_str() + word.find('=') + 1));
            }
            const ferry::SymExpr expr = ferry::parse_sym_expr(line.substr(0, tab));
            std::string value;
            try {
                switch (expr.type()) {
                    case ferry::SymType::integer: value = std::to_string(ferry::evaluate(expr, bindings)); break;
                    case ferry::SymType::real:
                        value = ferry::detail::float_digits(ferry::evaluate_real(expr, bindings), 17);
                        break;
                    case ferry::SymType::boolean:
                        value = ferry::evaluate_bool(expr, bindings) ? "True" : "False";
                        break;
                }
            } catch (const ferry::Error&) {
                value = "none";
            }
            std::printf("%s\t%s\t%s\n", ferry::to_string(expr).c_str(), ferry::to_srepr(expr).c_str(), value.c_str());
        } catch (const ferry::Error& error) {
            std::printf("error\t%s\t\n", error.message().c_str());
        }
    }
}
