// rejects: ferry::tree::detail::cannot_flatten<my::nobody_registered_me>
#include <ferry/tree/unflatten.hpp>

#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace my {
struct nobody_registered_me {};
}  // namespace my

#ifdef FERRY_REJECT
using inner = my::nobody_registered_me;
#else
using inner = at::Tensor;
#endif

using deep = std::map<std::string, std::tuple<int, std::optional<inner>>>;
deep use(const ferry::Tree& tree) { return ferry::tree::unflatten<deep>(tree); }
