# What `cmake --install` puts where, and the Debian packages that `cpack` makes of it: stowage, libstowage-dev, python3-stowage.
include(CMakePackageConfigHelpers)

# Libraries of others outside the linker's folders (layouts of Graphviz) are found where the build found them: INSTALL_RPATH_USE_LINK_PATH.
# The build folder has the shape of an installation, so what is installed is linked with its final path (BUILD_WITH_INSTALL_RPATH). CMake
# would pad another one with ':' to leave room for the change, and the loader takes an empty element for the current folder.
set(programs stowage-cli stowage-worker stowage stowage-regress stowage-stage)
foreach(program ${programs})
  if(TARGET ${program})
    set_target_properties(${program} PROPERTIES BUILD_WITH_INSTALL_RPATH ON
      INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT stowage)
  endif()
endforeach()

set_target_properties(stowage-core PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN" EXPORT_NAME core)
set_target_properties(stowage-capi PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN" EXPORT_NAME capi)
install(TARGETS stowage-core stowage-capi EXPORT stowage
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT stowage NAMELINK_COMPONENT dev
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${CMAKE_INSTALL_INCLUDEDIR}/stowage)
get_property(plugins GLOBAL PROPERTY STOWAGE_PLUGINS)
foreach(plugin ${plugins})
  set_target_properties(${plugin} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../.." INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS ${plugin} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/stowage/plugins COMPONENT stowage)
endforeach()
# The plugin for MLIR loads its reader from the folder above.
if(TARGET stowage-mlir-reader)
  set_target_properties(stowage-mlir-reader PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
  install(TARGETS stowage-mlir-reader LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/stowage COMPONENT stowage)
endif()

# Data: everything in resources but what has a place of its own.
foreach(folder targets samples guide icons themes)
  if(EXISTS ${CMAKE_SOURCE_DIR}/resources/${folder})
    install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/stowage COMPONENT stowage
      PATTERN __pycache__ EXCLUDE PATTERN pictures.cmake EXCLUDE)
  endif()
endforeach()
# Scripts keep the permission to run them, which a folder's files lose.
install(PROGRAMS ${CMAKE_SOURCE_DIR}/resources/cluster/sweep.parallel ${CMAKE_SOURCE_DIR}/resources/cluster/sweep.slurm
  DESTINATION ${CMAKE_INSTALL_DATADIR}/stowage/cluster COMPONENT stowage)
set(package ${CMAKE_SOURCE_DIR}/resources/package)
# Pages of the manual are packed, as Debian wants them.
find_program(STOWAGE_GZIP gzip)
function(stowage_manual page)
  set(file ${package}/${page})
  if(STOWAGE_GZIP)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    execute_process(COMMAND ${STOWAGE_GZIP} -9nc ${file} OUTPUT_FILE ${CMAKE_BINARY_DIR}/manual/${page}.gz COMMAND_ERROR_IS_FATAL ANY)
    set(file ${CMAKE_BINARY_DIR}/manual/${page}.gz)
  endif()
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT stowage)
endfunction()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/manual)
stowage_manual(stowage-cli.1)
install(FILES ${package}/stowage-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME stowage.xml COMPONENT stowage)
install(FILES ${package}/stowage-cli.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME stowage-cli COMPONENT stowage)
# Qt Charts changes the licence of what is distributed with the window.
set(copyright ${CMAKE_SOURCE_DIR}/LICENSE)
if(TARGET stowage)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/LICENSE)
  file(READ ${CMAKE_SOURCE_DIR}/LICENSE stowage_licence)
  set(copyright ${CMAKE_BINARY_DIR}/copyright)
  configure_file(${package}/copyright.in ${copyright} @ONLY)
endif()
install(FILES ${copyright} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/stowage RENAME copyright COMPONENT stowage)
if(TARGET stowage)
  stowage_manual(stowage.1)
  install(FILES ${package}/stowage.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT stowage)
  install(FILES ${CMAKE_SOURCE_DIR}/resources/icons/stowage.svg
    DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT stowage)
endif()

# Headers with their folders, as sources name them: plugins/api/plugin.h, core/plan/planner.h; and stowage.h.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/core DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stowage COMPONENT dev
  FILES_MATCHING PATTERN "*.h" PATTERN capi EXCLUDE REGEX "/(json_reader|pool_json|c_refusal|proof_lines).h$" EXCLUDE) # need simdjson and fmt
install(DIRECTORY ${CMAKE_SOURCE_DIR}/plugins/api DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stowage/plugins COMPONENT dev FILES_MATCHING PATTERN "*.h")
install(FILES ${CMAKE_SOURCE_DIR}/core/capi/stowage.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/stowage)
install(EXPORT stowage FILE stowageTargets.cmake NAMESPACE stowage:: DESTINATION ${config} COMPONENT dev)
file(STRINGS ${CMAKE_SOURCE_DIR}/plugins/api/plugin.h api REGEX "^#define STOWAGE_PLUGIN_API_VERSION ")
string(REGEX MATCH "[0-9]+$" STOWAGE_PLUGIN_API_VERSION "${api}")
configure_package_config_file(${package}/stowageConfig.cmake.in ${CMAKE_BINARY_DIR}/stowageConfig.cmake INSTALL_DESTINATION ${config})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/stowageConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/stowageConfig.cmake ${CMAKE_BINARY_DIR}/stowageConfigVersion.cmake DESTINATION ${config} COMPONENT dev)
configure_file(${package}/stowage.pc.in ${CMAKE_BINARY_DIR}/stowage.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/stowage.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/plugins/example DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libstowage-dev COMPONENT dev)

set(python ${CMAKE_INSTALL_LIBDIR}/python3/dist-packages)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/python/stowage DESTINATION ${python} COMPONENT python PATTERN __pycache__ EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/resources/python/stowage_executorch.py ${CMAKE_SOURCE_DIR}/resources/python/stowage_minimalloc.py
  DESTINATION ${python} COMPONENT python)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME stowage)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "Stowage <stowage@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL stowage dev python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
if(GRAPHVIZ_DOT)
  cmake_path(GET GRAPHVIZ_DOT PARENT_PATH layouts)
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${layouts})
endif()
set(CPACK_DEBIAN_STOWAGE_PACKAGE_NAME stowage)
set(CPACK_DEBIAN_STOWAGE_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_STOWAGE_PACKAGE_RECOMMENDS "qt6-qpa-plugins, qt6-wayland, fonts-inter, fonts-jetbrains-mono")
set(CPACK_COMPONENT_STOWAGE_DESCRIPTION "Window, command line, worker, samples, targets and guide.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libstowage-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "stowage (= ${PROJECT_VERSION}), qt6-base-dev")
set(CPACK_COMPONENT_DEV_DESCRIPTION "Headers, CMake and pkg-config files: for plug-ins, and for programs that plan by libstowage.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-stowage)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "stowage (>= ${PROJECT_VERSION}), python3 (>= 3.9)")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Python module, with adapters for ExecuTorch and MiniMalloc's interface.")
include(CPack)
