#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/flatbuffer.hpp>
#include <ferry/executorch/xnnpack/header.hpp>
#include <ferry/executorch/xnnpack/read.hpp>

#include <ferry_schema/executorch/runtime_schema_generated.h>

#include <cstddef>
#include <span>

namespace ferry::executorch::xnnpack {

FERRY_INLINE std::size_t count_nodes(std::span<const std::byte> data) {
    const Header header = Header::read(data);
    const Flatbuffer<::ferry_schema::fb_xnnpack::XNNGraph> graph(data.subspan(header.graph_at, header.graph_size),
                                                                 nullptr, "the data of an XNNPACK delegate");
    return count(graph->xnodes());
}

}  // namespace ferry::executorch::xnnpack
