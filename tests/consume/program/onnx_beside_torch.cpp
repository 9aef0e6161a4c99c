// torch's headers first, then those of the onnx that the package links: they come with different versions of protobuf.
#include <ATen/core/Tensor.h>
#include <onnx/onnx_pb.h>

std::string empty_model() { return onnx::ModelProto{}.SerializeAsString(); }
