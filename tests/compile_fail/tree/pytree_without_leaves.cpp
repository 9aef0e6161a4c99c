// rejects: ferry: a pytree needs `type`, `name`, and either `leaves` or `flatten` with `unflatten`
#include <ferry/tree/flatten.hpp>

struct cache {
    at::Tensor keys;
};
struct cache_node {
    using type = cache;
    static constexpr std::string_view name = "my.Cache";
#ifndef FERRY_REJECT
    using leaves = ferry::members<&cache::keys>;
#endif
};

ferry::Tree use(const cache& value) { return ferry::tree::flatten<ferry::pytrees<cache_node>>(value); }
