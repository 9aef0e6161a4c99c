// rejects: ferry: a pipeline is made of lists; wrap the entry in the list of its kind, e.g. translations<my_gelu>
#include <ferry/core/extend.hpp>
#include <ferry/core/kinds.hpp>

struct my_stages
    : ferry::stages<"mine", ferry::stage<"fix", ferry::node_fixes>, ferry::stage<"translate", ferry::translations>> {};
using base = ferry::pipeline<my_stages>;
struct Translation;
struct Ref {};

struct my_gelu {
    static constexpr auto target = ferry::op("aten::gelu");
    static Ref translate(Translation&);
};
#ifdef FERRY_REJECT
using mine = ferry::extend<base, my_gelu>;
#else
using mine = ferry::extend<base, ferry::translations<my_gelu>>;
#endif
mine used;
