#pragma once

/// Models that read checkpoints, and generation with them.
#include <ferry/compiled/detail/needs_macro.hpp>
#include <ferry/generation/generate-inl.hpp>
#include <ferry/models/blocks/rotary-inl.hpp>
#include <ferry/models/checkpoint-inl.hpp>
#include <ferry/models/config_reader-inl.hpp>
#include <ferry/models/decoder-inl.hpp>
#include <ferry/models/weights-inl.hpp>
