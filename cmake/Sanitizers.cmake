# Fovea - the sanitizers, and what they leave out where a compiler would take minutes.
# SPDX-License-Identifier: Apache-2.0
include(CheckCSourceCompiles)
include(CheckLinkerFlag)

add_library(fovea_sanitizer INTERFACE)
if(FOVEA_SANITIZER STREQUAL "address")
  # Numbers that fit no integer are looked for, too: C leaves open what becomes of them, and
  # processors differ. libFuzzer reads the counters.
  set(flags -fsanitize=address,undefined,float-cast-overflow)
  target_compile_options(fovea_sanitizer INTERFACE
    -g -O1 ${flags} -fno-sanitize-recover=all -fsanitize=fuzzer-no-link)
  target_link_options(fovea_sanitizer INTERFACE ${flags})
  # Other linkers grumble about the sanitizer's own symbols.
  check_linker_flag(C -fuse-ld=lld FOVEA_HAS_LLD)
  if(FOVEA_HAS_LLD)
    target_link_options(fovea_sanitizer INTERFACE -fuse-ld=lld)
  endif()
elseif(FOVEA_SANITIZER STREQUAL "thread")
  target_compile_options(fovea_sanitizer INTERFACE -g -O1 -fsanitize=thread)
  target_link_options(fovea_sanitizer INTERFACE -fsanitize=thread)
  # The runtime of Swift's compiler wants libraries that stand beside it.
  set(CMAKE_REQUIRED_FLAGS -fsanitize=thread)
  check_c_source_compiles("int main(void) { return 0; }" FOVEA_THREAD_SANITIZER_STANDS_ALONE)
  unset(CMAKE_REQUIRED_FLAGS)
  if(NOT FOVEA_THREAD_SANITIZER_STANDS_ALONE)
    file(REAL_PATH ${CMAKE_C_COMPILER} compiler)
    cmake_path(GET compiler PARENT_PATH folder)
    cmake_path(NORMAL_PATH folder)
    set(folder ${folder}/../lib/swift/linux)
    target_link_options(fovea_sanitizer INTERFACE -L${folder} -Wl,-rpath,${folder})
    target_link_libraries(fovea_sanitizer INTERFACE dispatch BlocksRuntime)
  endif()
endif()

# Compiles the sources that a pattern fits with more options.
function(fovea_add_options pattern)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;OPTIONS")
  list(FILTER arg_SOURCES INCLUDE REGEX "${pattern}")
  if(arg_SOURCES)
    set_property(SOURCE ${arg_SOURCES} APPEND PROPERTY COMPILE_OPTIONS ${arg_OPTIONS})
  endif()
endfunction()

function(fovea_sanitize_core sources)
  if(FOVEA_SANITIZER STREQUAL "address")
    # Comparisons teach the fuzzer what bytes are looked for; those of inner loops only take time.
    set(loops "/CSources/(kernels|weights|ops|channels_last|pool|image|cpu)/")
    fovea_add_options(${loops} SOURCES ${sources} OPTIONS -fno-sanitize-coverage=trace-cmp)
    # Kernels of vectors are pages of inlined arithmetic: optimized and checked, each takes the
    # compiler a minute.
    fovea_add_options("_avx|_neon" SOURCES ${sources} OPTIONS -O0)
  elseif(FOVEA_SANITIZER STREQUAL "thread")
    fovea_add_options("_avx512|_avx_vnni" SOURCES ${sources} OPTIONS -fno-sanitize=thread)
  elseif(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # GCC takes 10 seconds for each, and few processors run them.
    fovea_add_options("_avx512|_avx_vnni" SOURCES ${sources} OPTIONS -O0 -w)
  endif()
endfunction()
