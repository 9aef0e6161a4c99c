#include <ferry/graph/c10_types.hpp>

#include <doctest/doctest.h>

using namespace ferry;

TEST_CASE("element types agree with c10's in number, name and size") {
    for (std::size_t i = 0; i < ferry::detail::dtype_infos.size(); ++i) {
        const auto dtype = static_cast<DType>(i);
        const c10::ScalarType type = to_c10(dtype);
        CAPTURE(info(dtype).torch_name);
        CHECK(to_dtype(type) == dtype);
        CHECK(info(dtype).bytes == c10::elementSize(type));
        CHECK(is_floating_point(dtype) == c10::isFloatingType(type));
        CHECK(is_complex(dtype) == c10::isComplexType(type));
        CHECK(info(dtype).torch_name == c10::getDtypeNames(type).first);
    }
}

TEST_CASE("devices, layouts and formats") {
    CHECK(to_device(c10::Device("cuda:1")) == Device{"cuda", 1});
    CHECK(to_device(c10::Device(c10::kCPU)) == Device{});
    CHECK(to_c10(Device{"cuda", 1}) == c10::Device("cuda:1"));
    CHECK(to_c10(Device{"meta"}) == c10::Device(c10::kMeta));
    CHECK(to_string(Device{"cuda", 0}) == "cuda:0");
    CHECK(to_string(Device{}) == "cpu");
    CHECK(to_string(to_layout(c10::kSparse)) == "sparse_coo");
    CHECK(to_string(to_layout(c10::kStrided)) == "strided");
    CHECK(to_c10(Layout::sparse_bsc) == c10::kSparseBsc);
    CHECK(to_string(to_memory_format(c10::MemoryFormat::ChannelsLast)) == "channels_last");
    CHECK(to_string(to_memory_format(c10::MemoryFormat::Preserve)) == "preserve_format");
    CHECK(to_c10(MemoryFormat::contiguous) == c10::MemoryFormat::Contiguous);
}
