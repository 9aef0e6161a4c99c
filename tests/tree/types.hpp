// The user's side of the tree tests: one type for each way of saying how it is a tree.
#pragma once

#include <ferry/tree/members.hpp>
#include <ferry/tree/node.hpp>

#include <boost/hana/adapt_struct.hpp>
#include <boost/hana/define_struct.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace my {

struct layer {
    BOOST_HANA_DEFINE_STRUCT(layer, (at::Tensor, keys), (at::Tensor, values));
};

struct model_inputs {
    BOOST_HANA_DEFINE_STRUCT(model_inputs, (at::Tensor, input_ids), (std::optional<at::Tensor>, mask),
                             (std::vector<layer>, past_key_values));
};

struct adapted {
    double scale = 0;
    std::string mode;
};

struct family {  // holds itself
    BOOST_HANA_DEFINE_STRUCT(family, (std::string, name), (std::vector<family>, children));
};

struct kv_cache {
    std::vector<at::Tensor> keys, values;
    int max_len = 0;
    std::optional<double> scale;
    std::map<int, std::string> notes;
};
struct kv_cache_node {
    using type = kv_cache;
    static constexpr std::string_view name = "my.KvCache";
    using leaves = ferry::members<&type::keys, &type::values>;
    using context = ferry::members<&type::max_len, &type::scale, &type::notes>;
};

struct point {
    double x = 0, y = 0;
};

class window {  // no default constructor, nothing public: needs functions
public:
    window(std::vector<at::Tensor> tensors, std::int64_t width) : tensors_(std::move(tensors)), width_(width) {}
    [[nodiscard]] const std::vector<at::Tensor>& tensors() const { return tensors_; }
    [[nodiscard]] std::int64_t width() const { return width_; }

private:
    std::vector<at::Tensor> tensors_;
    std::int64_t width_;
};

struct boxed {  // stands for what is in it
    std::shared_ptr<std::int64_t> value;
};

struct unregistered {};

}  // namespace my

BOOST_HANA_ADAPT_STRUCT(my::adapted, scale, mode);

template <>
struct ferry::tree_node<my::point> {
    using leaves = members<&my::point::x, &my::point::y>;
};

template <>
struct ferry::tree_node<my::boxed> {
    static std::int64_t flatten(const my::boxed& box) { return *box.value; }
    static my::boxed unflatten(std::int64_t value) { return {std::make_shared<std::int64_t>(value)}; }
};
