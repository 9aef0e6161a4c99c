// rejects: op_name_has_an_empty_overload_after_the_dot
#include <ferry/core/op_name.hpp>

#ifdef FERRY_REJECT
constexpr auto target = ferry::op("aten::add.");
#else
constexpr auto target = ferry::op("aten::add");
#endif
static_assert(target.size() == 1);
