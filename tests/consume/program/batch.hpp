#pragma once

#include <ferry/ferry.hpp>

#include <boost/hana/define_struct.hpp>

#include <string>
#include <vector>

struct Layer {
    BOOST_HANA_DEFINE_STRUCT(Layer, (at::Tensor, keys), (at::Tensor, values));
};

struct Batch {
    BOOST_HANA_DEFINE_STRUCT(Batch, (at::Tensor, input_ids), (std::vector<Layer>, past_key_values));
};

// In the other translation unit, which includes Ferry too.
std::vector<std::string> tensor_paths(const Batch& batch);
