# ferry_treat_as_ours(<target>): our own code compiles without warnings; that of others is included as system headers.
function(ferry_treat_as_ours target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Werror)
endfunction()
