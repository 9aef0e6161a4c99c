# ferry_check_headers(<component>): one source with the component's headers, another with those that may include all of torch, with
# nothing but the component's own needs on the include path, built with the tests and read by clang-tidy (FerryMaintenance.cmake).
# That each header can be included alone is for `make tidy` to see (headers_alone.py).

# Headers that may include all of torch: among them those of models, which are modules of torch::nn, of generation with them, and of recipes.
file(GLOB_RECURSE models CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/include/ferry/models/*.hpp"
     "${PROJECT_SOURCE_DIR}/include/ferry/generation/*.hpp" "${PROJECT_SOURCE_DIR}/include/ferry/recipes/*.hpp")
set(FERRY_HEADERS_WITH_ALL_OF_TORCH ferry/dynamo/torchscript.hpp ferry/dynamo/torchscript-inl.hpp ferry/observe/torchscript.hpp
    ferry/ferry.hpp ferry/models.hpp ferry/observe.hpp ferry/recipes.hpp ${models})

# With these, torch itself refuses ATen.h and torch/nn.h, which would cost every user ten seconds and more.
set(FERRY_NARROW_TORCH AT_PER_OPERATOR_HEADERS TORCH_ASSERT_ONLY_METHOD_OPERATORS)

function(ferry_add_header_check target component)
  add_library(${target} OBJECT ${ARGN})
  target_link_libraries(${target} PRIVATE ferry::${component})
  ferry_treat_as_ours(${target})
endfunction()

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

  foreach(width IN ITEMS wide narrow)
    if(NOT ${width})
      continue()
    endif()
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${width}_headers_of_${component}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "${${width}}")
    ferry_add_header_check(${width}_headers_${component} ${component} "${source}")
    set_property(GLOBAL APPEND PROPERTY FERRY_TIDY_SOURCES "${source}")
  endforeach()
  if(TARGET narrow_headers_${component})
    target_compile_definitions(narrow_headers_${component} PRIVATE ${FERRY_NARROW_TORCH})
  endif()
endfunction()
