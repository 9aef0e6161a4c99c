# SOURCE must compile, and with FERRY_REJECT defined it must not, its first error containing the sentence of its first line.
cmake_minimum_required(VERSION 3.24)

file(READ "${SOURCE}" text)
if(NOT text MATCHES "^// rejects: ([^\n]+)\n")
  message(FATAL_ERROR "${SOURCE} must begin with `// rejects: <the sentence to expect>`")
endif()
set(sentence "${CMAKE_MATCH_1}")

# Without the source lines that compilers quote: the sentence stands in those too, whatever the error is.
if(COMPILER MATCHES "clang")
  set(first_error_only -ferror-limit=1 -fno-caret-diagnostics)
else()
  set(first_error_only -fmax-errors=1 -fno-diagnostics-show-caret)
endif()
set(compile "${CMAKE_COMMAND}" -E env LC_ALL=C "${COMPILER}" "@${FLAGS}" -fsyntax-only ${first_error_only})
if(PRECOMPILED)
  list(APPEND compile -include "${PRECOMPILED}")
endif()

execute_process(COMMAND ${compile} "${SOURCE}" RESULT_VARIABLE failed ERROR_VARIABLE output)
if(failed)
  message(FATAL_ERROR "${SOURCE} must compile when FERRY_REJECT is not defined:\n${output}")
endif()

execute_process(COMMAND ${compile} -DFERRY_REJECT "${SOURCE}" RESULT_VARIABLE failed ERROR_VARIABLE output)
if(NOT failed)
  message(FATAL_ERROR "${SOURCE} compiles although FERRY_REJECT is defined")
endif()
string(REPLACE "\\\"" "\"" output "${output}")  # clang 14 prints a message as it is spelt in the source
string(FIND "${output}" "${sentence}" position)
if(position EQUAL -1)
  message(FATAL_ERROR "${SOURCE} is rejected, but the first error does not say\n  ${sentence}\nbut\n${output}")
endif()
