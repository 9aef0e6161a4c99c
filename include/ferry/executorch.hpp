#pragma once

/// All of the ExecuTorch backend. It needs ExecuTorch's schemas and flatbuffers.
#include <ferry/executorch/exporter.hpp>
#include <ferry/executorch/library.hpp>
#include <ferry/executorch/pipeline.hpp>
