// rejects: ferry: a translation needs `target`, e.g. ferry::op(
#include <ferry/core/extend.hpp>
#include <ferry/core/kinds.hpp>

struct my_stages
    : ferry::stages<"mine", ferry::stage<"fix", ferry::node_fixes>, ferry::stage<"translate", ferry::translations>> {};
using base = ferry::pipeline<my_stages>;
struct Translation;
struct Ref {};

struct my_gelu {
#ifndef FERRY_REJECT
    static constexpr auto target = ferry::op("aten::gelu");
#endif
    static Ref translate(Translation&);
};
using mine = ferry::extend<base, ferry::translations<my_gelu>>;
mine used;
