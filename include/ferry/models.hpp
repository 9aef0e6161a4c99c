#pragma once

/// Models that read checkpoints of transformers, and generation with them.
#include <ferry/generation/cache.hpp>
#include <ferry/generation/config_fields.hpp>
#include <ferry/generation/decompose.hpp>
#include <ferry/generation/export_for_generation.hpp>
#include <ferry/generation/generate.hpp>
#include <ferry/generation/pipeline.hpp>
#include <ferry/generation/runner.hpp>
#include <ferry/generation/tasks/export_task.hpp>
#include <ferry/generation/tasks/tasks.hpp>
#include <ferry/models/from_pretrained.hpp>
