#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

/// Small entries of several kinds for the tests of pipelines.
namespace entries {

struct Builder;
struct Value {};

struct gelu {
    static constexpr auto target = ferry::op("aten::gelu");
    static Value lower(Builder&, Value);
};
struct exact_gelu {
    static constexpr auto target = ferry::op("aten::gelu");
    static Value lower(Builder&, Value);
};
struct add {
    static constexpr auto target = ferry::op("aten::add.Tensor", "aten::add.Scalar");
    static Value lower(Builder&, Value, Value);
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
