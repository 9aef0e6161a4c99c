// rejects: ferry: this backend has no stage that runs such a list; `ferry stages` prints what each stage takes
#include <ferry/core/extend.hpp>
#include <ferry/core/kinds.hpp>

struct my_stages
    : ferry::stages<"mine", ferry::stage<"fix", ferry::node_fixes>, ferry::stage<"translate", ferry::translations>> {};
using base = ferry::pipeline<my_stages>;
struct Translation;
struct Ref {};

struct gelu_shape {
    static constexpr auto target = ferry::op("aten::gelu");
    static Ref fake(Ref);
    static Ref translate(Translation&);
};
#ifdef FERRY_REJECT
using mine = ferry::extend<base, ferry::fakes<gelu_shape>>;
#else
using mine = ferry::extend<base, ferry::translations<gelu_shape>>;
#endif
mine used;
