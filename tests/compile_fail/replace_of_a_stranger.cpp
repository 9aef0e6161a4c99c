// rejects: ferry: the pipeline has no such entry to replace, remove or insert at; `ferry stages` prints what it has
#include <ferry/core/extend.hpp>
#include <ferry/core/kinds.hpp>

struct my_stages
    : ferry::stages<"mine", ferry::stage<"fix", ferry::node_fixes>, ferry::stage<"translate", ferry::translations>> {};
using base = ferry::pipeline<my_stages>;
struct Translation;
struct Ref {};

struct gelu {
    static constexpr auto target = ferry::op("aten::gelu");
    static Ref translate(Translation&);
};
struct exact_gelu : gelu {};
#ifdef FERRY_REJECT
using mine = ferry::replace<base, gelu, exact_gelu>;
#else
using mine = ferry::replace<ferry::extend<base, ferry::translations<gelu>>, gelu, exact_gelu>;
#endif
mine used;
