#pragma once

/// Captures: the functions behind DynamoExporter.
#ifndef FERRY_COMPILED
#error \
    "ferry: what is compiled once needs FERRY_COMPILED, in every file of the program; the CMake target ferry::compiled sets it"
#endif

#include <ferry/capture/control_flow-inl.hpp>
#include <ferry/capture/dim-inl.hpp>
#include <ferry/dynamo/config-inl.hpp>
#include <ferry/dynamo/export_program-inl.hpp>
