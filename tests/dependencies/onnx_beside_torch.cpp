// onnx's protobuf and the one that torch carries, in one translation unit and one program.
#include <onnx/checker.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>
#include <torch/types.h>

#include <doctest/doctest.h>
#include <boost/hana.hpp>

#include <string>

namespace {

void describe(onnx::ValueInfoProto& value, const std::string& name) {
    value.set_name(name);
    auto& tensor = *value.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(onnx::TensorProto::FLOAT);
    tensor.mutable_shape()->add_dim()->set_dim_param("batch");
}

onnx::ModelProto relu_model() {
    onnx::ModelProto model;
    model.set_ir_version(onnx::IR_VERSION_2024_3_25);
    auto& opset = *model.add_opset_import();
    opset.set_domain("");
    opset.set_version(21);
    auto& graph = *model.mutable_graph();
    graph.set_name("graph");
    auto& node = *graph.add_node();
    node.set_op_type("Relu");
    node.add_input("x");
    node.add_output("y");
    describe(*graph.add_input(), "x");
    describe(*graph.add_output(), "y");
    return model;
}

}  // namespace

TEST_CASE("onnx checks, infers and serialises in a program that links libtorch") {
    auto model = relu_model();
    CHECK_NOTHROW(onnx::checker::check_model(model));
    CHECK_NOTHROW(onnx::shape_inference::InferShapes(model));

    onnx::ModelProto again;
    REQUIRE(again.ParseFromString(model.SerializeAsString()));
    CHECK(again.graph().node(0).op_type() == "Relu");

    model.mutable_graph()->mutable_node(0)->set_op_type("NoSuchOp");
    CHECK_THROWS(onnx::checker::check_model(model));
}

TEST_CASE("libtorch and Hana work beside onnx") {
    CHECK(torch::ones({2, 2}).sum().item<float>() == 4.0F);
    static_assert(boost::hana::length(boost::hana::tuple_t<int, float>) == boost::hana::size_c<2>);
}
