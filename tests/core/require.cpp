#include <ferry/core/require.hpp>

#include <doctest/doctest.h>

using namespace ferry;

namespace requirements {  // named: an entry that nothing accepts would be an unused variable otherwise

struct Translation;
struct Ref {};
struct Model;
struct MyModule;

struct no_target {
    static bool fix(Graph&, Node&);
};
struct empty_target {
    static constexpr int target = 0;
};
struct node_fix {
    static constexpr auto target = op("aten::alias");
    static bool fix(Graph&, Node&) noexcept;
};
struct void_node_fix {
    static constexpr auto target = op("aten::alias");
    static void fix(Graph&, Node&);
};
struct translation {
    static constexpr auto target = op("aten::gelu");
    static Ref translate(Translation&);
};
struct by_value_translation {
    static constexpr auto target = op("aten::gelu");
    static Ref translate(Ref);
};
struct overloaded_translation {
    static constexpr auto target = op("aten::gelu");
    static Ref translate(Translation&);
    static Ref translate(Translation&, double);
};
struct program_fix {
    static bool fix(ExportedProgram&);
};
struct ir_fix {
    static bool fix(Model&);
};
struct const_ir_fix {
    static bool fix(const Model&);
};
struct model_patch {
    using module = MyModule;
    static Ref forward(MyModule&, Ref);
};
struct input_preparer {
    static constexpr const char* input = "pixel_values";
    static void prepare(Inputs&);
};
struct nameless_preparer {
    static void prepare(Inputs&);
};
struct op_entry {
    static constexpr auto target = op("aten::silu");
    static Ref call(Ref);
    static Ref fake(Ref);
    static Ref decompose(Ref);
};
struct tree_by_leaves {
    using type = int;
    static constexpr const char* name = "my.Int";
    using leaves = void;
};
struct tree_by_functions {
    using type = int;
    static constexpr const char* name = "my.Int";
    static int flatten(int);
    static int unflatten(int);
};
struct half_a_tree {
    using type = int;
    static constexpr const char* name = "my.Int";
    static int flatten(int);
};

static_assert(targets_ops<node_fix> && !targets_ops<no_target> && !targets_ops<empty_target>);
static_assert(has_node_fix<node_fix> && has_node_fix<no_target> && !has_node_fix<void_node_fix>);
static_assert(!has_node_fix<program_fix> && has_program_fix<program_fix> && !has_program_fix<node_fix>);
static_assert(has_translation<translation> && !has_translation<by_value_translation>);
static_assert(!has_translation<overloaded_translation> && !has_translation<node_fix>);
static_assert(has_ir_fix<ir_fix> && !has_ir_fix<const_ir_fix> && !has_ir_fix<translation>);
static_assert(has_module_forward<model_patch> && !has_module_forward<translation>);
static_assert(prepares_input<input_preparer> && !prepares_input<nameless_preparer> && !prepares_input<op_entry>);
static_assert(has_op_call<op_entry> && has_op_fake<op_entry> && has_op_decomposition<op_entry>);
static_assert(!has_op_call<translation> && !has_op_fake<translation> && !has_op_decomposition<translation>);
static_assert(describes_tree_node<tree_by_leaves> && describes_tree_node<tree_by_functions>);
static_assert(!describes_tree_node<half_a_tree> && !describes_tree_node<translation>);

static_assert(require_node_fix<node_fix>::ok && require_translation<translation>::ok && require_patch<op_entry>::ok);
static_assert(require_fake<op_entry>::ok && require_decomposition<op_entry>::ok && require_ir_fix<ir_fix>::ok);
static_assert(require_program_fix<program_fix>::ok && require_model_patch<model_patch>::ok);
static_assert(require_pytree<tree_by_leaves>::ok);

}  // namespace requirements

TEST_CASE("requirements are checked by the compiler; tests/compile_fail holds what they reject") {
    CHECK(require_node_fix<requirements::node_fix>::ok);
}
