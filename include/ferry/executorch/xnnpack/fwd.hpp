#pragma once

#include <string_view>

namespace ferry::executorch::xnnpack {

class Definition;

/// What defines an op for XNNPACK.
using Define = void (*)(Definition&);
/// Who defines an op, or null.
using FindDefine = Define (*)(std::string_view op);

}  // namespace ferry::executorch::xnnpack
