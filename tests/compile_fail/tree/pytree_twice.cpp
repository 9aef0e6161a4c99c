// rejects: ferry: two pytree entries describe the same type; keep one, or `replace` one by the other
#include <ferry/tree/flatten.hpp>

struct cache {
    at::Tensor keys;
};
struct cache_node {
    using type = cache;
    static constexpr std::string_view name = "my.Cache";
    using leaves = ferry::members<&cache::keys>;
};
struct other_cache_node : cache_node {};

#ifdef FERRY_REJECT
using nodes = ferry::pytrees<cache_node, other_cache_node>;
#else
using nodes = ferry::pytrees<other_cache_node>;
#endif
ferry::Tree use(const cache& value) { return ferry::tree::flatten<nodes>(value); }
