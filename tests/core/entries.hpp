#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

/// Small entries of several kinds for the tests of pipelines.
namespace entries {

struct Translation;
struct Ref {};

struct gelu {
    static constexpr auto target = ferry::op("aten::gelu");
    static Ref translate(Translation&);
};
struct exact_gelu {
    static constexpr auto target = ferry::op("aten::gelu");
    static Ref translate(Translation&);
};
struct add {
    static constexpr auto target = ferry::op("aten::add.Tensor", "aten::add.Scalar");
    static Ref translate(Translation&);
};
struct drop_alias {
    static constexpr auto target = ferry::op("aten::alias");
    static bool fix(ferry::Graph&, ferry::Node&);
};
struct drop_detach {
    static constexpr auto target = ferry::op("aten::detach");
    static bool fix(ferry::Graph&, ferry::Node&);
};
struct drop_asserts {
    static constexpr auto target = ferry::op("aten::_assert_async.msg");
    static bool fix(ferry::Graph&, ferry::Node&);
};

}  // namespace entries
