// rejects: ferry: a tree node with a `context` needs a `name`
#include <ferry/tree/flatten.hpp>

struct cache {
    at::Tensor keys;
    int max_len;
};

template <>
struct ferry::tree_node<cache> {
#ifndef FERRY_REJECT
    static constexpr std::string_view name = "my.Cache";
#endif
    using leaves = members<&cache::keys>;
    using context = members<&cache::max_len>;
};

ferry::Tree use(const cache& value) { return ferry::tree::flatten(value); }
