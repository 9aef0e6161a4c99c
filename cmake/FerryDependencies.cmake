# Finds what Ferry's components need and wraps it in imported targets: ferry::external::boost, torch, onnx,
# onnxruntime and executorch. The build tree and the installed package share this file, so both look in the same places.
#
# To bring one's own: FERRY_TORCH_ROOT (a libtorch directory, or the torch directory of a Python environment),
# FERRY_ONNX_ROOT (the install prefix of the onnx C++ library), FERRY_ONNXRUNTIME_ROOT (a directory with its include and lib), FERRY_EXECUTORCH_ROOT (the executorch directory of a Python
# environment, or of a source tree). Without these, targets that the project already has, then find_package.

include_guard()

set(FERRY_COMPONENTS core tree pt2 onnx onnxruntime executorch)
set(FERRY_core_NEEDS boost)
set(FERRY_tree_NEEDS boost torch)
set(FERRY_pt2_NEEDS boost torch)
set(FERRY_onnx_NEEDS boost torch onnx)
set(FERRY_onnxruntime_NEEDS boost torch onnx onnxruntime)
set(FERRY_executorch_NEEDS boost torch executorch)

foreach(component IN ITEMS PT2 ONNX ONNXRUNTIME EXECUTORCH)
  set(FERRY_WITH_${component} AUTO CACHE STRING "Provide this component: ON, OFF, or AUTO (if what it needs is found)")
  set_property(CACHE FERRY_WITH_${component} PROPERTY STRINGS AUTO ON OFF)
endforeach()
foreach(dependency IN ITEMS TORCH ONNX ONNXRUNTIME EXECUTORCH)
  set(FERRY_${dependency}_ROOT "" CACHE PATH "Where to take this dependency from (default: find it)")
endforeach()

# ferry_add_external(<name> [INCLUDES dir...] [LINKS lib...]): the imported target of a dependency that was found.
# Includes of imported targets are system includes: no warnings of theirs reach a user.
function(ferry_add_external name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "INCLUDES;LINKS")
  add_library(ferry::external::${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(ferry::external::${name} INTERFACE ${arg_INCLUDES})
  target_link_libraries(ferry::external::${name} INTERFACE ${arg_LINKS})
endfunction()

# ferry_first_target(<variable> target...): the first of these that exists, or an empty string.
function(ferry_first_target variable)
  set(${variable} "" PARENT_SCOPE)
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      set(${variable} ${target} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Each ferry_find_<dependency>(<variable>) makes its target, or sets the variable to what is missing and what to do. A root
# that was given and is wrong stops the configuration: looking elsewhere instead would surprise.

function(ferry_find_boost missing)
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
  ferry_first_target(target Boost::headers Boost::boost)
  if(NOT target)
    find_package(Boost QUIET CONFIG)
    ferry_first_target(target Boost::headers Boost::boost)
  endif()
  if(target)
    ferry_add_external(boost LINKS ${target})
    return()
  endif()
  find_path(FERRY_BOOST_INCLUDE_DIR boost/hana.hpp)
  mark_as_advanced(FERRY_BOOST_INCLUDE_DIR)
  if(FERRY_BOOST_INCLUDE_DIR)
    ferry_add_external(boost INCLUDES "${FERRY_BOOST_INCLUDE_DIR}")
  else()
    set(${missing} "Boost.Hana's headers were not found: set FERRY_BOOST_INCLUDE_DIR (Debian: libboost-dev)" PARENT_SCOPE)
  endif()
endfunction()

# The root of the libtorch that CMAKE_PREFIX_PATH or Torch_DIR names, if any.
function(ferry_locate_libtorch variable)
  find_path(directory TorchConfig.cmake NO_CACHE NO_DEFAULT_PATH HINTS "${Torch_DIR}" "$ENV{Torch_DIR}"
            PATHS ${CMAKE_PREFIX_PATH} ENV CMAKE_PREFIX_PATH PATH_SUFFIXES share/cmake/Torch)
  get_filename_component(root "${directory}/../../.." ABSOLUTE)
  if(directory AND EXISTS "${root}/include/ATen")
    set(${variable} "${root}" PARENT_SCOPE)
  endif()
endfunction()

function(ferry_find_torch missing)
  set(root "${FERRY_TORCH_ROOT}")
  ferry_first_target(target torch libtorch::libtorch)
  if(NOT root AND NOT target)
    ferry_locate_libtorch(root)
  endif()
  if(root)
    # Not by the TorchConfig.cmake in there: that of a Python wheel stops where there is no CUDA toolkit.
    foreach(library IN ITEMS torch_cpu c10)
      find_library(${library} ${library} PATHS "${root}/lib" NO_DEFAULT_PATH NO_CACHE)
      if(NOT ${library})
        message(FATAL_ERROR "FERRY_TORCH_ROOT is not a libtorch: there is no ${library} library in ${root}/lib")
      endif()
      if(NOT TARGET ferry::external::${library})
        add_library(ferry::external::${library} UNKNOWN IMPORTED GLOBAL)
        set_target_properties(ferry::external::${library} PROPERTIES IMPORTED_LOCATION "${${library}}")
      endif()
    endforeach()
    ferry_add_external(torch
      INCLUDES "${root}/include" "${root}/include/torch/csrc/api/include"
      LINKS ferry::external::torch_cpu ferry::external::c10)
    return()
  endif()
  if(NOT target)
    set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
    find_package(Torch CONFIG QUIET)
    ferry_first_target(target torch libtorch::libtorch)
  endif()
  if(target)
    ferry_add_external(torch INCLUDES ${TORCH_INCLUDE_DIRS} LINKS ${target})
  else()
    set(${missing} "libtorch was not found: set FERRY_TORCH_ROOT to a libtorch directory or to the torch directory of a \
Python environment" PARENT_SCOPE)
  endif()
endfunction()

# torch/include holds the headers of an old protobuf, which hide those that onnx was compiled with wherever protobuf sits in
# /usr/include. This directory has nothing but a link to the right ones. It is an -I option, not an include directory of
# an imported target (-isystem), because -I goes first in whatever order a project links its targets.
function(ferry_put_protobuf_first include_directory)
  set(first "${CMAKE_BINARY_DIR}/ferry_protobuf_first")
  file(MAKE_DIRECTORY "${first}")
  file(CREATE_LINK "${include_directory}/google" "${first}/google" SYMBOLIC)
  target_compile_options(ferry::external::onnx INTERFACE "SHELL:-I \"${first}\"")
endfunction()

function(ferry_find_onnx missing)
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
  if(NOT TARGET protobuf::libprotobuf)
    find_package(Protobuf QUIET CONFIG)
  endif()
  if(NOT TARGET protobuf::libprotobuf)
    find_package(Protobuf QUIET MODULE)
  endif()
  if(NOT TARGET protobuf::libprotobuf)
    set(${missing} "protobuf was not found (Debian: libprotobuf-dev protobuf-compiler)" PARENT_SCOPE)
    return()
  endif()
  if(FERRY_ONNX_ROOT)
    unset(ONNX_DIR CACHE)  # else that of an earlier root would win
    find_package(ONNX QUIET CONFIG PATHS "${FERRY_ONNX_ROOT}" NO_DEFAULT_PATH)
    if(NOT ONNX_FOUND)
      message(FATAL_ERROR "FERRY_ONNX_ROOT is not the install prefix of onnx: no ONNXConfig.cmake under ${FERRY_ONNX_ROOT}")
    endif()
  else()
    ferry_first_target(target ONNX::onnx onnx::onnx onnx)
    if(NOT target)
      find_package(ONNX QUIET CONFIG)
    endif()
  endif()
  ferry_first_target(target ONNX::onnx onnx::onnx onnx)
  if(NOT target)
    set(${missing} "the onnx C++ library was not found: set FERRY_ONNX_ROOT to the prefix it is installed in" PARENT_SCOPE)
    return()
  endif()

  get_target_property(protobuf_includes protobuf::libprotobuf INTERFACE_INCLUDE_DIRECTORIES)
  find_path(protobuf_include google/protobuf/message.h NO_CACHE
            HINTS ${Protobuf_INCLUDE_DIRS} ${protobuf_INCLUDE_DIRS} ${protobuf_includes})
  if(NOT protobuf_include)
    set(${missing} "protobuf's headers were not found: set Protobuf_INCLUDE_DIRS" PARENT_SCOPE)
    return()
  endif()
  ferry_add_external(onnx LINKS ${target} protobuf::libprotobuf)
  ferry_put_protobuf_first("${protobuf_include}")
endfunction()

# The C header alone: Ferry uses nothing else of it.
function(ferry_find_onnxruntime missing)
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
  if(FERRY_ONNXRUNTIME_ROOT)
    find_library(library onnxruntime PATHS "${FERRY_ONNXRUNTIME_ROOT}/lib" NO_DEFAULT_PATH NO_CACHE)
    find_path(header onnxruntime_c_api.h PATHS "${FERRY_ONNXRUNTIME_ROOT}/include" NO_DEFAULT_PATH NO_CACHE
              PATH_SUFFIXES onnxruntime onnxruntime/core/session)
    if(NOT library OR NOT header)
      message(FATAL_ERROR "FERRY_ONNXRUNTIME_ROOT is not an ONNX Runtime: no library or no onnxruntime_c_api.h under \
${FERRY_ONNXRUNTIME_ROOT}")
    endif()
    add_library(ferry::external::ort UNKNOWN IMPORTED GLOBAL)
    set_target_properties(ferry::external::ort PROPERTIES IMPORTED_LOCATION "${library}")
    ferry_add_external(onnxruntime INCLUDES "${header}" LINKS ferry::external::ort)
    return()
  endif()
  ferry_first_target(target onnxruntime::onnxruntime onnxruntime)
  if(NOT target)
    find_package(onnxruntime QUIET CONFIG)
    ferry_first_target(target onnxruntime::onnxruntime onnxruntime)
  endif()
  if(target)
    ferry_add_external(onnxruntime LINKS ${target})
  else()
    set(${missing} "ONNX Runtime was not found: set FERRY_ONNXRUNTIME_ROOT to a directory with its include and lib" PARENT_SCOPE)
  endif()
endfunction()

# ExecuTorch's headers do not say which version they are; version.py (of a wheel) or version.txt (of a source tree) does.
function(ferry_write_executorch_version header)
  set(text "")
  foreach(file IN ITEMS version.py version.txt)
    if(EXISTS "${FERRY_EXECUTORCH_ROOT}/${file}")
      file(READ "${FERRY_EXECUTORCH_ROOT}/${file}" text)
      break()
    endif()
  endforeach()
  string(REGEX MATCH "[0-9]+\\.[0-9]+(\\.[0-9]+)?" version "${text}")
  file(CONFIGURE OUTPUT "${header}" CONTENT "#pragma once

namespace ferry_schema {
inline constexpr char executorch_version[] = \"${version}\";
}
")
endfunction()

# Compiles ExecuTorch's schemas to <ferry_schema/executorch/..._generated.h> in the build tree, with the flatc that belongs to
# the flatbuffers headers found: headers made by another version do not compile.
function(ferry_find_executorch missing)
  find_path(FERRY_FLATBUFFERS_INCLUDE_DIR flatbuffers/flatbuffers.h)
  find_program(FERRY_FLATC flatc)
  mark_as_advanced(FERRY_FLATBUFFERS_INCLUDE_DIR FERRY_FLATC)
  if(NOT FERRY_FLATBUFFERS_INCLUDE_DIR OR NOT FERRY_FLATC)
    set(${missing} "flatbuffers was not found: set FERRY_FLATBUFFERS_INCLUDE_DIR and FERRY_FLATC \
(Debian: libflatbuffers-dev flatbuffers-compiler)" PARENT_SCOPE)
    return()
  endif()
  if(NOT FERRY_EXECUTORCH_ROOT)
    set(${missing} "ExecuTorch was not found: set FERRY_EXECUTORCH_ROOT to the executorch directory of a Python environment or \
of a source tree" PARENT_SCOPE)
    return()
  endif()
  if(NOT EXISTS "${FERRY_EXECUTORCH_ROOT}/schema/program.fbs")
    message(FATAL_ERROR "FERRY_EXECUTORCH_ROOT is not an ExecuTorch: there is no ${FERRY_EXECUTORCH_ROOT}/schema/program.fbs")
  endif()
  set(generated "${CMAKE_BINARY_DIR}/ferry_generated")
  set(schemas "")
  foreach(schema IN ITEMS schema/scalar_type schema/program backends/xnnpack/serialization/runtime_schema
                 extension/flat_tensor/serialize/flat_tensor)
    # In a namespace of Ferry's: a program may link ExecuTorch's runtime too, which has the same from another flatbuffers.
    cmake_path(GET schema FILENAME name)
    file(READ "${FERRY_EXECUTORCH_ROOT}/${schema}.fbs" text)
    string(REGEX REPLACE "\nnamespace ([a-z_]+)" "\nnamespace ferry_schema.\\1" text "${text}")
    file(WRITE "${generated}/schemas/${name}.fbs" "${text}")
    list(APPEND schemas "${generated}/schemas/${name}.fbs")
  endforeach()
  execute_process(
    COMMAND "${FERRY_FLATC}" --cpp --cpp-std c++11 --scoped-enums --gen-mutable -o "${generated}/ferry_schema/executorch" ${schemas}
    RESULT_VARIABLE failed ERROR_VARIABLE output OUTPUT_VARIABLE output)
  if(failed)
    set(${missing} "flatc cannot compile the schemas in FERRY_EXECUTORCH_ROOT (${FERRY_EXECUTORCH_ROOT}): ${output}" PARENT_SCOPE)
    return()
  endif()
  ferry_write_executorch_version("${generated}/ferry_schema/executorch/version.h")
  ferry_add_external(executorch INCLUDES "${generated}" "${FERRY_FLATBUFFERS_INCLUDE_DIR}")
endfunction()

# The library inside of a Python environment's executorch, which has the runtime, its kernels and XNNPACK. Only executorch_plugin.hpp needs it.
function(ferry_find_executorch_runtime missing)
  file(GLOB library "${FERRY_EXECUTORCH_ROOT}/extension/pybindings/_portable_lib.cpython-3*.so")
  if(NOT library MATCHES "cpython-3([0-9]+)")
    set(${missing} "FERRY_EXECUTORCH_ROOT has no runtime: it is in the executorch directory of a Python environment" PARENT_SCOPE)
    return()
  endif()
  set(python_name python3.${CMAKE_MATCH_1})
  find_library(python NAMES ${python_name} NO_CACHE)
  if(NOT python)
    set(${missing} "ExecuTorch's runtime needs lib${python_name} (Debian: libpython3-dev)" PARENT_SCOPE)
    return()
  endif()
  add_library(ferry::external::portable_lib SHARED IMPORTED GLOBAL)
  set_target_properties(ferry::external::portable_lib PROPERTIES IMPORTED_LOCATION "${library}")
  file(GLOB tensors "${FERRY_EXECUTORCH_ROOT}/backends/qualcomm/libqnn_executorch_backend.so") # takes them over, where it is there
  ferry_add_external(executorch_runtime INCLUDES "${FERRY_EXECUTORCH_ROOT}/include"
                     LINKS ferry::external::portable_lib ${tensors} "${python}")
  # It needs more libraries, which it finds by itself.
  target_link_options(ferry::external::executorch_runtime INTERFACE LINKER:--unresolved-symbols=ignore-in-shared-libs)
endfunction()

# ferry_find_component(<component> <variable>): finds all that the component needs; the variable says what is missing, if anything.
function(ferry_find_component component missing)
  set(${missing} "" PARENT_SCOPE)
  string(TOUPPER "${component}" option)
  if(DEFINED FERRY_WITH_${option} AND NOT FERRY_WITH_${option})
    set(${missing} "FERRY_WITH_${option} is ${FERRY_WITH_${option}}" PARENT_SCOPE)
    return()
  endif()
  foreach(dependency IN LISTS FERRY_${component}_NEEDS)
    if(NOT TARGET ferry::external::${dependency})
      set(reason "")
      cmake_language(CALL ferry_find_${dependency} reason)
      if(reason)
        set(${missing} "${reason}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()
