#pragma once

/// Ferry is header-only, or compiled once for large codebases. With FERRY_COMPILED defined for a program's every file, what does not
/// depend on a user's types is declared only; its definitions, in `*-inl.hpp`, come from the CMake target ferry::compiled or from a
/// source that includes <ferry/compiled.hpp>.
#ifdef FERRY_COMPILED
#define FERRY_INLINE
#else
#define FERRY_INLINE inline
#endif
