# Fovea - what is said once for the package manager and for CMake.
# SPDX-License-Identifier: Apache-2.0

# The version stands in the C interface.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../include/fovea/fovea_base.h lines
  REGEX "^#define FOVEA_VERSION_(MAJOR|MINOR|PATCH) ")
string(REGEX REPLACE "[^0-9;]" "" numbers "${lines}")
string(REPLACE ";" "." FOVEA_VERSION "${numbers}")

# Folders of headers stand in the manifest, as `.headerSearchPath("CSources")` of `cSettings`.
# What it defines are options here: NDEBUG belongs to releases, FOV_HAVE_OPENBLAS to a library.
file(READ ${CMAKE_CURRENT_LIST_DIR}/../Package.swift manifest)
string(REGEX MATCH "let cSettings: .*// MARK: Folders" settings "${manifest}")
string(REGEX MATCHALL "headerSearchPath\\(\"[^\"]+" folders "${settings}")
list(TRANSFORM folders REPLACE ".*\"" "")
if(NOT folders)
  message(FATAL_ERROR "Package.swift has no cSettings with folders of headers")
endif()
set(FOVEA_INCLUDED_FOLDERS ${folders})
string(REGEX MATCHALL "define\\(\"[^\"]+" definitions "${settings}")
list(TRANSFORM definitions REPLACE ".*\"" "")
if(NOT definitions STREQUAL "NDEBUG;FOV_HAVE_OPENBLAS")
  message(FATAL_ERROR "Package.swift defines ${definitions}: CMakeLists.txt must define the same")
endif()
