#pragma once

/// Inputs that models for images and sounds need besides what a processor gives.
#include <ferry/preparers/multimodal_preparers.hpp>
