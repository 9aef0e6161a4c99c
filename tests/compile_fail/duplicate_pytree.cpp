// rejects: ferry: two entries of one stage claim the same type; keep one, or override on purpose with replace<Pipeline, Old, New>
#include <ferry/core/extend.hpp>
#include <ferry/core/kinds.hpp>

struct my_stages : ferry::stages<"mine", ferry::stage<"trees", ferry::pytrees>> {};
using base = ferry::pipeline<my_stages>;
struct Cache {};
struct OtherCache {};

struct cache_node {
    using type = Cache;
    static constexpr const char* name = "my.Cache";
    using leaves = ferry::type_list<>;
};
struct second_cache_node {
#ifdef FERRY_REJECT
    using type = Cache;
#else
    using type = OtherCache;
#endif
    static constexpr const char* name = "my.OtherCache";
    using leaves = ferry::type_list<>;
};
using mine = ferry::extend<base, ferry::pytrees<cache_node>, ferry::pytrees<second_cache_node>>;
mine used;
