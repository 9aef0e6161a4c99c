// rejects: ferry: this type cannot be flattened; register it in one of three ways: describe its members with BOOST_HANA_DEFINE_STRUCT, specialise ferry::tree_node<T> for it, or pass an entry for it in pytrees<...>
#include <ferry/tree/flatten.hpp>

#include <vector>

struct opaque_thing {
    int value;
};

#ifndef FERRY_REJECT
template <>
struct ferry::tree_node<opaque_thing> {
    using leaves = members<&opaque_thing::value>;
};
#endif

ferry::Tree use(const std::vector<opaque_thing>& things) { return ferry::tree::flatten(things); }
