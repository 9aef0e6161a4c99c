#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/onnx/translations/activation.hpp>
#include <ferry/onnx/translations/adaptive_pooling.hpp>
#include <ferry/onnx/translations/arithmetic.hpp>
#include <ferry/onnx/translations/arrangement.hpp>
#include <ferry/onnx/translations/attention.hpp>
#include <ferry/onnx/translations/complex.hpp>
#include <ferry/onnx/translations/constant_factory.hpp>
#include <ferry/onnx/translations/control_flow.hpp>
#include <ferry/onnx/translations/convolution.hpp>
#include <ferry/onnx/translations/counting.hpp>
#include <ferry/onnx/translations/diagonal.hpp>
#include <ferry/onnx/translations/distance.hpp>
#include <ferry/onnx/translations/embedding.hpp>
#include <ferry/onnx/translations/factory.hpp>
#include <ferry/onnx/translations/fourier.hpp>
#include <ferry/onnx/translations/fractional_pooling.hpp>
#include <ferry/onnx/translations/grouped.hpp>
#include <ferry/onnx/translations/indexing.hpp>
#include <ferry/onnx/translations/linear_systems.hpp>
#include <ferry/onnx/translations/logic.hpp>
#include <ferry/onnx/translations/loss.hpp>
#include <ferry/onnx/translations/matrix.hpp>
#include <ferry/onnx/translations/normalization.hpp>
#include <ferry/onnx/translations/order.hpp>
#include <ferry/onnx/translations/parts.hpp>
#include <ferry/onnx/translations/pointwise.hpp>
#include <ferry/onnx/translations/pooling.hpp>
#include <ferry/onnx/translations/random.hpp>
#include <ferry/onnx/translations/recurrent.hpp>
#include <ferry/onnx/translations/reduction.hpp>
#include <ferry/onnx/translations/resampling.hpp>
#include <ferry/onnx/translations/running.hpp>
#include <ferry/onnx/translations/scatter.hpp>
#include <ferry/onnx/translations/size.hpp>
#include <ferry/onnx/translations/special.hpp>
#include <ferry/onnx/translations/strided.hpp>
#include <ferry/onnx/translations/unique.hpp>
#include <ferry/onnx/translations/view.hpp>

namespace ferry::onnx {

/// All that Ferry has of its own. What is not here is taken apart first.
struct default_translations
    : concat_t<pointwise_translations, activation_translations, arithmetic_translations, logic_translations,
               view_translations, parts_translations, arrangement_translations, matrix_translations,
               indexing_translations, factory_translations, reduction_translations, normalization_translations,
               attention_translations, convolution_translations, resampling_translations, counting_translations,
               control_flow_translations, recurrent_translations, complex_translations, fourier_translations,
               fractional_pooling_translations, size_translations, adaptive_pooling_translations,
               constant_factory_translations, diagonal_translations, distance_translations, embedding_translations,
               grouped_translations, linear_system_translations, loss_translations, order_translations,
               pooling_translations, random_translations, running_translations, scatter_translations,
               special_translations, strided_translations, unique_translations>,
      own_list {};

}  // namespace ferry::onnx
