# Fovea - what is installed: headers, libraries, and descriptions for pkg-config and CMake.
# SPDX-License-Identifier: Apache-2.0
include(GNUInstallDirs)

# The library of the whole is made from Swift (Scripts/build-library). Where it is named, it is
# installed beside the core.
set(FOVEA_LIBRARY "" CACHE FILEPATH "libfovea.so.N, to be installed, too")

# The installed tree may be moved: descriptions find the rest from where they lie.
set(templates ${CMAKE_CURRENT_LIST_DIR})
set(made ${CMAKE_CURRENT_BINARY_DIR}/installed)
set(FOVEA_PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/Fovea)
function(fovea_path_up folder out)
  string(REGEX REPLACE "[^/]+" ".." up "${folder}")
  set(${out} ${up} PARENT_SCOPE)
endfunction()
fovea_path_up(${CMAKE_INSTALL_LIBDIR}/pkgconfig FOVEA_UP_FROM_PKGCONFIG)
fovea_path_up(${FOVEA_PACKAGE_FOLDER} FOVEA_UP_FROM_PACKAGE)
if(FOVEA_LIBRARY)
  cmake_path(GET FOVEA_LIBRARY FILENAME FOVEA_SONAME)
  install(PROGRAMS ${FOVEA_LIBRARY} DESTINATION ${CMAKE_INSTALL_LIBDIR})
  file(MAKE_DIRECTORY ${made})
  file(CREATE_LINK ${FOVEA_SONAME} ${made}/libfovea.so SYMBOLIC)
  install(FILES ${made}/libfovea.so DESTINATION ${CMAKE_INSTALL_LIBDIR})
  configure_file(${templates}/fovea.pc.in ${made}/fovea.pc @ONLY)
  install(FILES ${made}/fovea.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
configure_file(${templates}/fovea-core.pc.in ${made}/fovea-core.pc @ONLY)
configure_file(${templates}/FoveaConfig.cmake.in ${made}/FoveaConfig.cmake @ONLY)
# Until version 1, each minor version has an interface of its own.
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${made}/FoveaConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)

install(DIRECTORY include/fovea DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "spi" EXCLUDE)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/libfovea_core.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${made}/fovea-core.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${made}/FoveaConfig.cmake ${made}/FoveaConfigVersion.cmake
  DESTINATION ${FOVEA_PACKAGE_FOLDER})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/fovea)
