// rejects: ferry: a tensor cannot be in a tree node's `context`; list the member in `leaves`
#include <ferry/tree/flatten.hpp>

struct cache {
    at::Tensor keys;
    at::Tensor scale;
};

template <>
struct ferry::tree_node<cache> {
    static constexpr std::string_view name = "my.Cache";
#ifdef FERRY_REJECT
    using leaves = members<&cache::keys>;
    using context = members<&cache::scale>;
#else
    using leaves = members<&cache::keys, &cache::scale>;
#endif
};

ferry::Tree use(const cache& value) { return ferry::tree::flatten(value); }
