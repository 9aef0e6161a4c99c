#include <ferry/graph/ivalue.hpp>

#include <ATen/core/dispatch/Dispatcher.h>
#include <doctest/doctest.h>

using namespace ferry;

namespace {

/// There and back again, by the type of an argument of an op's schema.
Argument there(const c10::IValue& value, const c10::Type& type) {
    return to_argument(value, ferry::detail::element_kind(&type), [](const at::Tensor&) { return Value{7}; });
}
c10::IValue back(const Argument& argument, const c10::Type& type) {
    return to_ivalue(argument, type, [](Value) { return c10::IValue(std::int64_t{7}); });
}
c10::TypePtr type_of(const char* op, const char* overload, std::string_view name) {
    const auto& schema = c10::Dispatcher::singleton().findSchemaOrThrow(op, overload).schema();
    return schema.arguments().at(static_cast<std::size_t>(*schema.argumentIndexWithName(name))).real_type();
}

}  // namespace

TEST_CASE("integers are what the schema says that they are") {
    const auto dtype = type_of("aten::zeros", "", "dtype");
    CHECK(there(static_cast<std::int64_t>(c10::kHalf), *dtype) == Argument(DType::float16));
    CHECK(back(DType::float16, *dtype).toInt() == static_cast<std::int64_t>(c10::kHalf));
    const auto layout = type_of("aten::zeros", "", "layout");
    CHECK(there(static_cast<std::int64_t>(c10::kStrided), *layout) == Argument(Layout::strided));
    const auto format = type_of("aten::clone", "", "memory_format");
    CHECK(there(static_cast<std::int64_t>(c10::MemoryFormat::ChannelsLast), *format) ==
          Argument(MemoryFormat::channels_last));
    const auto size = type_of("aten::zeros", "", "size");
    CHECK(there(c10::List<std::int64_t>({2, 3}), *size) == Argument(ArgumentList{2, 3}));
    CHECK(back(ArgumentList{2, Value{7}}, *size).toIntVector() == std::vector<std::int64_t>{2, 7});
    const auto device = type_of("aten::zeros", "", "device");
    CHECK(there(c10::Device("cuda:1"), *device) == Argument(Device{"cuda", 1}));
    CHECK(back(Device{"cuda", 1}, *device).toDevice() == c10::Device("cuda:1"));
}

TEST_CASE("tensors, none, numbers") {
    const auto tensors = type_of("aten::cat", "", "tensors");
    CHECK(there(std::vector<at::Tensor>{torch::ones({1}), torch::ones({1})}, *tensors) ==
          Argument(ArgumentList{Value{7}, Value{7}}));
    const auto bias = type_of("aten::linear", "", "bias");
    CHECK(there(c10::IValue(), *bias).is_none());
    CHECK(there(at::Tensor(), *bias).is_none());
    CHECK(back({}, *bias).isNone());
    const auto alpha = type_of("aten::add", "Tensor", "alpha");
    CHECK(there(2.5, *alpha) == Argument(2.5));
    CHECK(there(true, *alpha) == Argument(true));
    CHECK(there(c10::complex<double>(1, 2), *alpha) == Argument(std::complex<double>(1, 2)));
    const auto scale = type_of("aten::scaled_dot_product_attention", "", "dropout_p");
    CHECK(back(1, *scale).isDouble());  // an integer where the schema has a float
    const auto indices = type_of("aten::index", "Tensor", "indices");
    c10::List<std::optional<at::Tensor>> some;
    some.push_back(std::nullopt);
    some.push_back(torch::ones({1}));
    CHECK(there(some, *indices) == Argument(ArgumentList{Argument(), Value{7}}));
    const auto flags = type_of("aten::native_layer_norm_backward", "", "output_mask");
    CHECK(back(ArgumentList{true, false, true}, *flags).toBoolList().size() == 3);
}

TEST_CASE("what cannot stand in a graph is refused") {
    const auto size = type_of("aten::relu", "", "self");
    CHECK_THROWS_AS(static_cast<void>(back(ArgumentList{1}, *size)), Error);
    CHECK_THROWS_AS(static_cast<void>(there(c10::IValue(c10::Dict<std::string, std::int64_t>()), *size)), Error);
}
