# ferry::compiled: a static library of what does not depend on a user's types, for those who include Ferry in many files. It has all
# components that are there, and is built where it is first linked. Linking it instead of ferry::ferry is all there is to it.

if(TARGET ferry::compiled OR NOT TARGET ferry::tree)
  return()
endif()

set(_ferry_parts capture fakes program)
get_target_property(_ferry_links ferry::ferry INTERFACE_LINK_LIBRARIES)
foreach(_ferry_component IN ITEMS pt2 onnx onnxruntime executorch)
  if(_ferry_links MATCHES "ferry(_|::)${_ferry_component}(>|;|$)")
    list(APPEND _ferry_parts ${_ferry_component})
  endif()
endforeach()
if("onnx" IN_LIST _ferry_parts)
  list(APPEND _ferry_parts translations)
endif()
set(_ferry_sources "")
foreach(_ferry_part IN LISTS _ferry_parts)
  set(_ferry_source "${CMAKE_CURRENT_BINARY_DIR}/ferry_compiled/${_ferry_part}.cpp")
  file(CONFIGURE OUTPUT "${_ferry_source}" CONTENT "#include <ferry/compiled/${_ferry_part}.hpp>\n")
  list(APPEND _ferry_sources "${_ferry_source}")
endforeach()

add_library(ferry_compiled STATIC EXCLUDE_FROM_ALL ${_ferry_sources})
add_library(ferry::compiled ALIAS ferry_compiled)
set_target_properties(ferry_compiled PROPERTIES EXPORT_NAME compiled POSITION_INDEPENDENT_CODE ON)
target_link_libraries(ferry_compiled PUBLIC ferry::ferry)
target_compile_definitions(ferry_compiled PUBLIC FERRY_COMPILED)

foreach(_ferry_name IN ITEMS parts component links sources part source name)
  unset(_ferry_${_ferry_name})
endforeach()
