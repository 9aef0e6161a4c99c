#pragma once

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>

#include <optional>

// Declared here, since ATen/autocast_mode.h includes all of ATen.
namespace at::autocast {
TORCH_API bool is_autocast_enabled(c10::DeviceType device_type);
TORCH_API void set_autocast_enabled(c10::DeviceType device_type, bool enabled);
TORCH_API c10::ScalarType get_autocast_dtype(c10::DeviceType device_type);
TORCH_API void set_autocast_dtype(c10::DeviceType device_type, c10::ScalarType dtype);
TORCH_API int increment_nesting();
TORCH_API int decrement_nesting();
TORCH_API bool is_autocast_cache_enabled();
TORCH_API void set_autocast_cache_enabled(bool enabled);
TORCH_API void clear_cache();
}  // namespace at::autocast

namespace ferry {

/// What `with torch.autocast(...)` does in Python, for as long as this lives.
class AutocastGuard {
public:
    AutocastGuard(c10::DeviceType device, bool enabled, std::optional<c10::ScalarType> dtype, bool caches)
        : device_(device),
          enabled_(at::autocast::is_autocast_enabled(device)),
          dtype_(at::autocast::get_autocast_dtype(device)),
          caches_(at::autocast::is_autocast_cache_enabled()) {
        at::autocast::set_autocast_enabled(device, enabled);
        at::autocast::set_autocast_dtype(device, dtype.value_or(dtype_));
        at::autocast::increment_nesting();
        at::autocast::set_autocast_cache_enabled(caches);
    }
    AutocastGuard(const AutocastGuard&) = delete;
    AutocastGuard& operator=(const AutocastGuard&) = delete;
    ~AutocastGuard() {
        if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
        at::autocast::set_autocast_enabled(device_, enabled_);
        at::autocast::set_autocast_dtype(device_, dtype_);
        at::autocast::set_autocast_cache_enabled(caches_);
    }

private:
    c10::DeviceType device_;
    bool enabled_;
    c10::ScalarType dtype_;
    bool caches_;
};

}  // namespace ferry
