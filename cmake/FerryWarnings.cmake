# ferry_treat_as_ours(<target>): our own code compiles without warnings; that of others is included as system headers.
# Of __COUNTER__, which stands in macros of torch and doctest, newer clang++ warns wherever they are used.
set(FERRY_WARNINGS -Wall -Wextra -Wpedantic -Werror)
set(FERRY_CLANG_WARNINGS -Wno-unknown-warning-option -Wno-c2y-extensions)

function(ferry_treat_as_ours target)
  target_compile_options(${target} PRIVATE ${FERRY_WARNINGS} "$<$<CXX_COMPILER_ID:Clang>:${FERRY_CLANG_WARNINGS}>")
endfunction()
