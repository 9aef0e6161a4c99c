# ferry_check_headers(<component>): one source with the component's headers, another with those that may include all of torch. The
# tests preprocess both with nothing but the component's own needs on the include path: what a header may not include is not there.
# `make tidy` has clang-tidy read them (FerryMaintenance.cmake), and includes each header alone (headers_alone.py). That all compile,
# with each compiler, is for tests/portable.

# Headers that may include all of torch: among them those of models, which are modules of torch::nn, of generation with them, and of recipes.
file(GLOB_RECURSE models CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/include/ferry/models/*.hpp"
     "${PROJECT_SOURCE_DIR}/include/ferry/generation/*.hpp" "${PROJECT_SOURCE_DIR}/include/ferry/recipes/*.hpp")
set(FERRY_HEADERS_WITH_ALL_OF_TORCH ferry/dynamo/torchscript.hpp ferry/dynamo/torchscript-inl.hpp ferry/observe/torchscript.hpp
    ferry/ferry.hpp ferry/models.hpp ferry/observe.hpp ferry/recipes.hpp ${models})

# With these, torch itself refuses ATen.h and torch/nn.h, which would cost every user ten seconds and more.
set(FERRY_NARROW_TORCH AT_PER_OPERATOR_HEADERS TORCH_ASSERT_ONLY_METHOD_OPERATORS)

function(ferry_check_headers component)
  get_target_property(headers ferry_${component} HEADER_SET)
  if(NOT headers)
    return()
  endif()
  list(FILTER headers EXCLUDE REGEX "/compiled(/.*)?\\.hpp$") # each a source of ferry::compiled
  list(FILTER headers EXCLUDE REGEX "/ferry/(models|generation|recipes)/") # models.hpp and recipes.hpp have them all
  list(FILTER headers EXCLUDE REGEX "/executorch_(plugin|platform)\\.hpp$") # which need the runtime: a source of ferry_executorch_runtime
  foreach(header IN LISTS headers)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/include" OUTPUT_VARIABLE name)
    if(name IN_LIST FERRY_HEADERS_WITH_ALL_OF_TORCH)
      string(APPEND wide "#include <${name}>\n")
    else()
      string(APPEND narrow "#include <${name}>\n")
    endif()
  endforeach()

  list(TRANSFORM FERRY_NARROW_TORCH PREPEND -D OUTPUT_VARIABLE only_narrow)
  foreach(width IN ITEMS wide narrow)
    if(NOT ${width})
      continue()
    endif()
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${width}_headers_of_${component}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "${${width}}")
    set_property(GLOBAL APPEND PROPERTY FERRY_TIDY_SOURCES "${source}")
    set_property(GLOBAL APPEND_STRING PROPERTY FERRY_EVERY_HEADER "${${width}}")
    add_library(${width}_headers_${component} OBJECT EXCLUDE_FROM_ALL "${source}") # for clang-tidy to know how it is compiled
    target_link_libraries(${width}_headers_${component} PRIVATE ferry::${component})
    add_test(NAME headers.${width}.${component}
             COMMAND "${CMAKE_CXX_COMPILER}" -E "@${FERRY_FLAGS}/${component}.flags" ${only_${width}} "${source}" -o /dev/null)
  endforeach()
  if(TARGET narrow_headers_${component})
    target_compile_definitions(narrow_headers_${component} PRIVATE ${FERRY_NARROW_TORCH})
  endif()
endfunction()
