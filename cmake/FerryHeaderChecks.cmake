# ferry_check_headers(<component>): compiles each header of the component alone, with nothing but the component's own needs on
# the include path; and makes one source that includes them all, for clang-tidy (FerryMaintenance.cmake).

# Headers that may include all of torch.
set(FERRY_HEADERS_WITH_ALL_OF_TORCH ferry/dynamo/torchscript.hpp)

function(ferry_check_headers component)
  get_target_property(headers ferry_${component} HEADER_SET)
  if(NOT headers)
    return()
  endif()
  add_library(check_headers_${component} OBJECT)
  target_link_libraries(check_headers_${component} PRIVATE ferry::${component})
  ferry_treat_as_ours(check_headers_${component})
  # With these, torch itself refuses ATen.h and torch/nn.h, which would cost every user ten seconds and more.
  set(narrow AT_PER_OPERATOR_HEADERS TORCH_ASSERT_ONLY_METHOD_OPERATORS)
  target_compile_definitions(check_headers_${component} PRIVATE ${narrow})
  if(component STREQUAL "tree")
    # What nearly every header of this component needs from others is read once instead of a hundred times.
    target_precompile_headers(check_headers_tree PRIVATE <boost/hana.hpp> <torch/library.h>)
  endif()
  foreach(header IN LISTS headers)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/include" OUTPUT_VARIABLE name)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include <${name}>\n")
    target_sources(check_headers_${component} PRIVATE "${source}")
    if(name IN_LIST FERRY_HEADERS_WITH_ALL_OF_TORCH)
      list(TRANSFORM narrow PREPEND -U OUTPUT_VARIABLE wide)
      set_source_files_properties("${source}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "${wide}")
    endif()
    string(APPEND all_includes "#include <${name}>\n")
  endforeach()

  set(all "${CMAKE_CURRENT_BINARY_DIR}/all_of_${component}.cpp")
  file(CONFIGURE OUTPUT "${all}" CONTENT "${all_includes}")
  add_library(all_headers_${component} OBJECT EXCLUDE_FROM_ALL "${all}")
  target_link_libraries(all_headers_${component} PRIVATE ferry::${component})
  ferry_treat_as_ours(all_headers_${component})
  set_property(GLOBAL APPEND PROPERTY FERRY_TIDY_SOURCES "${all}")
endfunction()
