# Runs `conan create` in an empty Conan home: the user's own is not touched, and no earlier package is found.
file(REMOVE_RECURSE "${HOME}")
set(ENV{CONAN_HOME} "${HOME}")
execute_process(COMMAND "${CONAN}" create "${SOURCE}" --profile:all "${PROFILE}" --no-remote ${OPTIONS} COMMAND_ERROR_IS_FATAL ANY)
