# ferry_precompile_torch(<target>): torch's headers are compiled once for all tests, examples and programs that link ferry::compiled.
add_library(ferry_precompiled OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/precompiled_torch.cpp")
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/precompiled_torch.cpp" CONTENT "")
target_link_libraries(ferry_precompiled PRIVATE ferry::compiled)
target_precompile_headers(ferry_precompiled PRIVATE "${CMAKE_CURRENT_LIST_DIR}/precompiled_torch.hpp")
ferry_treat_as_ours(ferry_precompiled)

function(ferry_precompile_torch target)
  target_precompile_headers(${target} REUSE_FROM ferry_precompiled)
endfunction()
