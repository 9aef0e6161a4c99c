// rejects: ferry: unflattening a type that is described by its members needs its default constructor
#include <ferry/tree/unflatten.hpp>

struct sized {
#ifdef FERRY_REJECT
    explicit sized(int count) : size(count) {}
#endif
    int size;
};

template <>
struct ferry::tree_node<sized> {
    using leaves = members<&sized::size>;
};

sized use(const ferry::Tree& tree) { return ferry::tree::unflatten<sized>(tree); }
