# Fovea - libfovea_core.a: one object in which only the names of include/ are left.
# SPDX-License-Identifier: Apache-2.0

set(FOVEA_CORE_LIBRARY ${CMAKE_CURRENT_BINARY_DIR}/libfovea_core.a)
if(CMAKE_OBJCOPY AND NOT APPLE AND NOT FOVEA_SANITIZER)
  add_custom_command(
    OUTPUT ${FOVEA_CORE_LIBRARY}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cmake/merge-objects ${FOVEA_CORE_LIBRARY}
      ${CMAKE_LINKER} ${CMAKE_OBJCOPY} ${CMAKE_NM} ${CMAKE_STRIP} ${CMAKE_AR}
      $<TARGET_OBJECTS:fovea_objects>
    DEPENDS fovea_objects $<TARGET_OBJECTS:fovea_objects> cmake/merge-objects
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(fovea_core ALL DEPENDS ${FOVEA_CORE_LIBRARY})
else()
  add_library(fovea_core STATIC $<TARGET_OBJECTS:fovea_objects>)
endif()
