#pragma once

namespace ferry::executorch::xnnpack {

class Definition;

}  // namespace ferry::executorch::xnnpack
