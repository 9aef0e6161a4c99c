// rejects: ferry: inputs are given as name, value, name, value, ...
#include <ferry/tree/inputs.hpp>

#ifdef FERRY_REJECT
ferry::Inputs use(const at::Tensor& ids, const at::Tensor& mask) { return ferry::inputs("input_ids", ids, mask); }
#else
ferry::Inputs use(const at::Tensor& ids, const at::Tensor& mask) {
    return ferry::inputs("input_ids", ids, "mask", mask);
}
#endif
