// rejects: op_name_holds_a_character_that_no_op_name_has
#include <ferry/core/op_name.hpp>

#ifdef FERRY_REJECT
constexpr auto target = ferry::op("aten::add Tensor");
#else
constexpr auto target = ferry::op("aten::add_Tensor");
#endif
static_assert(target.size() == 1);
