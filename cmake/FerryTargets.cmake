# The INTERFACE targets ferry::core, tree, pt2, onnx, onnxruntime, executorch and ferry::ferry, which has all that are available.

# ferry_add_component(<name> [LINKS target...] [HEADERS glob...]), globs under include/ferry.
function(ferry_add_component name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS;HEADERS")
  list(TRANSFORM arg_HEADERS PREPEND "${PROJECT_SOURCE_DIR}/include/ferry/")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${arg_HEADERS})
  if(NOT name STREQUAL "ferry")
    list(FILTER headers EXCLUDE REGEX "/compiled/") # whose names are those of components
  endif()
  add_library(ferry_${name} INTERFACE)
  set_target_properties(ferry_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(ferry_${name} INTERFACE cxx_std_20)
  target_link_libraries(ferry_${name} INTERFACE ${arg_LINKS})
  target_sources(ferry_${name} INTERFACE FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${headers})
endfunction()

ferry_add_component(core HEADERS version.hpp fwd.hpp core/*.hpp files/*.hpp LINKS ferry::external::boost)
ferry_add_component(tree HEADERS tree/*.hpp graph/*.hpp capture/*.hpp program/*.hpp dynamo/*.hpp observe/*.hpp preparers.hpp preparers/*.hpp
                         verify/artifact*.hpp verify/discrepanc*.hpp LINKS ferry_core ferry::external::torch)
ferry_add_component(pt2 HEADERS pt2.hpp safetensors/*.hpp pt2/*.hpp LINKS ferry_tree)
ferry_add_component(onnx HEADERS onnx.hpp onnx/*.hpp LINKS ferry_tree ferry::external::onnx)
ferry_add_component(onnxruntime HEADERS verify/onnx_runtime.hpp verify/run_onnx.hpp verify/run_onnx-inl.hpp
                                 verify/onnx_artifact.hpp LINKS ferry_onnx ferry::external::onnxruntime)
ferry_add_component(executorch HEADERS executorch.hpp executorch/*.hpp verify/executorch_*.hpp LINKS ferry_tree ferry::external::executorch)
ferry_add_component(ferry HEADERS ferry.hpp compiled.hpp compiled/*.hpp models.hpp observe.hpp recipes.hpp recipes/*.hpp generation/*.hpp models/*.hpp)
add_library(ferry::ferry ALIAS ferry_ferry)

set(told "")
foreach(component IN LISTS FERRY_COMPONENTS)
  ferry_find_component(${component} missing)
  string(TOUPPER "${component}" option)
  if(NOT missing)
    add_library(ferry::${component} ALIAS ferry_${component})
    # Which components there are is known anew where an installed package is used: see ferryConfig.cmake.
    target_link_libraries(ferry_ferry INTERFACE $<BUILD_INTERFACE:ferry_${component}>)
  elseif(component STREQUAL "core" OR FERRY_WITH_${option} STREQUAL "ON")
    message(FATAL_ERROR "ferry::${component}: ${missing}")
  elseif(NOT missing STREQUAL told)
    message(STATUS "Without ferry::${component}: ${missing}")
    set(told "${missing}")
  else()
    message(STATUS "Without ferry::${component}, for the same reason")
  endif()
endforeach()
