#pragma once

/// What is learned from calls of a model; and inputs that are made of others.
#include <ferry/compiled/detail/needs_macro.hpp>
#include <ferry/observe/aligned_calls-inl.hpp>
#include <ferry/observe/infer_arguments-inl.hpp>
#include <ferry/observe/infer_dynamic_shapes-inl.hpp>
#include <ferry/observe/observer-inl.hpp>
#include <ferry/preparers/audio_chunks-inl.hpp>
#include <ferry/preparers/feature_lens-inl.hpp>
#include <ferry/preparers/grid_thw-inl.hpp>
#include <ferry/preparers/patch_counts-inl.hpp>
#include <ferry/preparers/target_sizes-inl.hpp>
#include <ferry/preparers/vision_grid-inl.hpp>
#include <ferry/verify/artifact-inl.hpp>
#include <ferry/verify/discrepancies-inl.hpp>
#include <ferry/verify/discrepancy_report-inl.hpp>
