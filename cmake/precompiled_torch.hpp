// Read once for all programs that link libtorch. Not torch/torch.h: instantiating all of torch::nn costs each of them 4 s.
#pragma once

#include <torch/types.h>

// c10's logging has macros of the same names as doctest.
#undef CHECK
#undef CHECK_EQ
#undef CHECK_GE
#undef CHECK_GT
#undef CHECK_LE
#undef CHECK_LT
#undef CHECK_NE
