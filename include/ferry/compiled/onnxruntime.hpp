#pragma once

/// Models in ONNX Runtime.
#ifndef FERRY_COMPILED
#error \
    "ferry: what is compiled once needs FERRY_COMPILED, in every file of the program; the CMake target ferry::compiled sets it"
#endif

#include <ferry/verify/run_onnx-inl.hpp>
