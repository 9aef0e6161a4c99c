#pragma once

/// All of the files that Ferry reads and writes without a backend: .pt2 programs and .safetensors.
#include <ferry/pt2/load.hpp>
#include <ferry/pt2/save.hpp>
#include <ferry/safetensors/read.hpp>
#include <ferry/safetensors/write.hpp>
