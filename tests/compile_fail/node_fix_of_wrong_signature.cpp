// rejects: ferry: a node fix needs `static bool fix(Graph&, Node&)`
#include <ferry/core/extend.hpp>
#include <ferry/core/kinds.hpp>

struct my_stages
    : ferry::stages<"mine", ferry::stage<"fix", ferry::node_fixes>, ferry::stage<"translate", ferry::translations>> {};
using base = ferry::pipeline<my_stages>;
struct Builder;
struct Value {};

struct drop_alias {
    static constexpr auto target = ferry::op("aten::alias");
#ifdef FERRY_REJECT
    static void fix(ferry::Graph&, ferry::Node&);
#else
    static bool fix(ferry::Graph&, ferry::Node&);
#endif
};
using mine = ferry::extend<base, ferry::node_fixes<drop_alias>>;
mine used;
