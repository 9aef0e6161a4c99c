#pragma once

/// Captures: the functions behind DynamoExporter.
#include <ferry/capture/control_flow-inl.hpp>
#include <ferry/capture/dim-inl.hpp>
#include <ferry/compiled/detail/needs_macro.hpp>
#include <ferry/dynamo/config-inl.hpp>
#include <ferry/dynamo/export_program-inl.hpp>
