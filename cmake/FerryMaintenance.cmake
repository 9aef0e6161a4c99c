# Targets that write or check sources rather than build them: single_include, format, format_check and tidy.

add_custom_target(single_include
  COMMAND "${FERRY_PYTHON}" "${PROJECT_SOURCE_DIR}/cmake/single_include.py" --quom "${FERRY_QUOM}" VERBATIM)

file(GLOB_RECURSE sources CONFIGURE_DEPENDS include/*.hpp tests/*.hpp tests/*.cpp examples/*.hpp examples/*.cpp)
add_custom_target(format COMMAND "${FERRY_CLANG_FORMAT}" -i ${sources} VERBATIM)
add_custom_target(format_check COMMAND "${FERRY_CLANG_FORMAT}" --dry-run --Werror ${sources} VERBATIM)

# Over one source for each component, with all its headers: torch's are read once.
get_property(header_sources GLOBAL PROPERTY FERRY_TIDY_SOURCES)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS include/*.hpp)
foreach(source IN LISTS header_sources)
  set(stamp "${source}.tidy")
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_BINARY_DIR}" OUTPUT_VARIABLE name)
  add_custom_command(OUTPUT "${stamp}"
    COMMAND "${FERRY_CLANG_TIDY}" --quiet -p "${PROJECT_BINARY_DIR}" "${source}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS "${source}" ${headers} "${PROJECT_SOURCE_DIR}/.clang-tidy"
    COMMENT "clang-tidy ${name}" VERBATIM)
  list(APPEND stamps "${stamp}")
endforeach()
add_custom_target(tidy DEPENDS ${stamps})
