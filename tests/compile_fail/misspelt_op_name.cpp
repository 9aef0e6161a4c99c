// rejects: op_name_must_be_written_as_namespace_colon_colon_name
#include <ferry/core/op_name.hpp>

#ifdef FERRY_REJECT
constexpr auto target = ferry::op("aten.add.Tensor");
#else
constexpr auto target = ferry::op("aten::add.Tensor");
#endif
static_assert(target.size() == 1);
