// rejects: ferry: two entries of one stage claim the same op; keep one, or override on purpose with replace<Pipeline, Old, New>
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
struct their_gelu {
#ifdef FERRY_REJECT
    static constexpr auto target = ferry::op("aten::gelu", "aten::gelu_");
#else
    static constexpr auto target = ferry::op("aten::gelu_");
#endif
    static Ref translate(Translation&);
};
using mine = ferry::extend<base, ferry::translations<my_gelu>, ferry::translations<their_gelu>>;
mine used;
