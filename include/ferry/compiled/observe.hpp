#pragma once

/// What is learned from calls of a model.
#include <ferry/compiled/detail/needs_macro.hpp>
#include <ferry/observe/aligned_calls-inl.hpp>
#include <ferry/observe/infer_arguments-inl.hpp>
#include <ferry/observe/infer_dynamic_shapes-inl.hpp>
#include <ferry/observe/observer-inl.hpp>
#include <ferry/verify/artifact-inl.hpp>
#include <ferry/verify/discrepancies-inl.hpp>
#include <ferry/verify/discrepancy_report-inl.hpp>
