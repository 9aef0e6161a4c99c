// rejects: ferry: an optional of something that can itself be None cannot be flattened
#include <ferry/tree/flatten.hpp>

#include <optional>

#ifdef FERRY_REJECT
using maybe = std::optional<std::optional<double>>;
#else
using maybe = std::optional<double>;
#endif
ferry::Tree use(const maybe& value) { return ferry::tree::flatten(value); }
