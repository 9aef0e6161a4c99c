# Compiles through ccache where it is installed. The sloppiness lets it cache what is compiled with a precompiled header.
find_program(FERRY_CCACHE ccache)
mark_as_advanced(FERRY_CCACHE)
if(FERRY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${FERRY_CCACHE}")
endif()
