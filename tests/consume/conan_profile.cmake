# Writes a Conan profile that names what this machine provides: no recipe of a third party is needed, nor any remote.

set(conan_profile "${CMAKE_CURRENT_BINARY_DIR}/conan_profile")

execute_process(COMMAND "${FERRY_GXX}" -dumpversion OUTPUT_VARIABLE gxx_version COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "^[0-9]+" gxx_version "${gxx_version}")
set(conan_arch "${CMAKE_SYSTEM_PROCESSOR}")
if(conan_arch STREQUAL "aarch64")
  set(conan_arch armv8)  # Conan's name for it
endif()

cmake_path(GET CMAKE_MAKE_PROGRAM PARENT_PATH ninja_directory)

file(READ "${PROJECT_SOURCE_DIR}/cmake/dependencies.json" pins)
foreach(dependency IN ITEMS torch onnx executorch)
  string(JSON ${dependency}_version GET "${pins}" tested ${dependency})
endforeach()
configure_file(conan_profile.in "${conan_profile}" @ONLY)
