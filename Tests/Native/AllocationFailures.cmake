# Fovea - every block of memory, thread and lock refused once, in all that is done with a model.
# SPDX-License-Identifier: Apache-2.0

# Sources of the pool ask failing_threads.c for threads and locks, and failing_memory.c takes the
# place of the core's door to the heap. The pool has two forms; the portable one has locks.
file(GLOB pool CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/CSources/pool/*.c)
foreach(form IN ITEMS futex portable)
  set(target allocation-failures-${form})
  add_library(${target}-pool OBJECT ${pool})
  target_compile_options(${target}-pool PRIVATE
    -include ${common}/AllocationFailures/failing_threads.h)
  if(form STREQUAL "portable")
    target_compile_definitions(${target}-pool PRIVATE FOV_WAIT_WORD_PORTABLE)
  endif()
  set_target_properties(${target}-pool PROPERTIES C_EXTENSIONS ON)
  target_include_directories(${target}-pool PRIVATE
    $<TARGET_PROPERTY:fovea_objects,INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_libraries(${target}-pool PRIVATE fovea_flags)
  fovea_program(${target}
    FOLDERS AllocationFailures/*.c DetectorGraph/*.c CompiledMutations/byte_list.c
    LIBRARIES fovea_flags)
  target_include_directories(${target} PRIVATE
    $<TARGET_PROPERTY:fovea_objects,INTERFACE_INCLUDE_DIRECTORIES>)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}-pool>
    $<FILTER:$<TARGET_OBJECTS:fovea_objects>,EXCLUDE,/pool/|/fov_alloc\\.c>)
endforeach()

fovea_test(allocations-portable-pools allocation-failures-portable ARGUMENTS pools)
set(FOVEA_REFUSED "mixed, int8 with ranges;mixed, float32;mixed, blas;full graph" CACHE STRING
  "Cases in which allocations are refused; an empty word names all")
foreach(case IN LISTS FOVEA_REFUSED)
  string(MAKE_C_IDENTIFIER "${case}" name)
  fovea_test(allocations-${name} allocation-failures-futex ARGUMENTS ${case} COST 60)
endforeach()
