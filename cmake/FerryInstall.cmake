# The package that find_package(ferry) finds. It is the same whatever was found on this machine.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Headers only, as a rule: nothing in the package depends on the architecture, hence share/ and not lib/.
set(FERRY_PACKAGE_DIR "${CMAKE_INSTALL_DATADIR}/cmake/ferry")

list(TRANSFORM FERRY_COMPONENTS PREPEND ferry_ OUTPUT_VARIABLE targets)
install(TARGETS ${targets} ferry_ferry EXPORT ferryTargets FILE_SET HEADERS)
install(EXPORT ferryTargets NAMESPACE ferry:: DESTINATION "${FERRY_PACKAGE_DIR}")

configure_package_config_file(cmake/ferryConfig.cmake.in "${PROJECT_BINARY_DIR}/ferryConfig.cmake"
                              INSTALL_DESTINATION "${FERRY_PACKAGE_DIR}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ferryConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/ferryConfig.cmake" "${PROJECT_BINARY_DIR}/ferryConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FerryDependencies.cmake" "${PROJECT_SOURCE_DIR}/cmake/FerryCompiled.cmake"
        DESTINATION "${FERRY_PACKAGE_DIR}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/ferry")

if(FERRY_INSTALL_COMPILED)
  set_target_properties(ferry_compiled PROPERTIES EXCLUDE_FROM_ALL OFF)
  install(TARGETS ferry_compiled EXPORT ferryCompiledTargets)
  install(EXPORT ferryCompiledTargets NAMESPACE ferry:: DESTINATION "${FERRY_PACKAGE_DIR}")
endif()
