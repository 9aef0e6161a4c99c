// Precompiled once for all tests that link libtorch: parsing it takes longer than most tests do.
#pragma once

#include <torch/torch.h>

// c10's logging has macros of the same names as doctest.
#undef CHECK
#undef CHECK_EQ
#undef CHECK_GE
#undef CHECK_GT
#undef CHECK_LE
#undef CHECK_LT
#undef CHECK_NE
#include <doctest/doctest.h>
