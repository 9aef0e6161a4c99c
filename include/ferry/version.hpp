#pragma once

// The only place where Ferry's version is written: CMake and Conan read it from here.
#define FERRY_VERSION_MAJOR 0
#define FERRY_VERSION_MINOR 1
#define FERRY_VERSION_PATCH 0
