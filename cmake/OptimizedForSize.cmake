# Fovea - which sources of the core are optimized for size, since their speed does not show.
# SPDX-License-Identifier: Apache-2.0

# What runs only when a model is made.
set(when_made
  "/CSources/(graph|fold|equalize|layout|compiled)/"
  "/detect/fov_detector"
  "/session/fov_(model|plan)"
  "/channels_last/fov_channels_last_(phase|transposed)\\.c"
  "/weights/fov_weight_transposition\\.c"
  "_(archive|check)\\.c")

# What runs once a frame on few bytes, on other backends and processors, or calls kernels for rows.
# So are the float kernels of AVX2, which are unrolled by hand: the same times within 0.5 %.
set(for_size
  "/channels_last/fov_channels_last_(convolution|conversion|elementwise|movement|transpose)\\.c"
  "/kernels/fov_strided_copy\\.c"
  "/kernels/(float/fov_float_(avx2|scalar)|int8/fov_int8_scalar|look_up/fov_look_up_avx|fov_im2col)"
  "/ops/fov_op_(reduce|broadcast|concat|detection|detection_coordinates|layer_normalization)\\.c"
  "/ops/fov_op_(pooling|padding|resize|transposed_convolution|local_response_normalization)\\.c"
  "/ops/fov_op_(matrix_product|gather|top_k_indices|resample|crop_resize|select)\\.c"
  "/ops/fov_op_(cumulative_sum|suppression_indices)\\.c"
  "/ops/fov_(convolution_direct|convolution_gemm|convolution_parameters)\\.c"
  "/ops/fov_(shape_require|broadcast_loop|ranking|binary_rare)\\.c"
  "/weights/fov_(packed_weights|.*_(store|parts|packing|quantizer|rounding))\\.c"
  "fov_(channel_statistics|cpu_quota|archive|format|image_placement|alloc_copies)\\.c"
  "fov_(tensor|kernel_set)\\.c"
  "/session/fov_session\\.c")

function(fovea_optimize_for_size sources)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR FOVEA_SANITIZER)
    return()
  endif()
  set(smallest -Oz)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 12)
    set(smallest -Os)
  endif()
  fovea_add_first("${when_made}" ${smallest} "${sources}" rest)
  fovea_add_first("${for_size}" -Os "${rest}" rest)
endfunction()

# Compiles the sources that one of the patterns fits with an option, and gives the others.
function(fovea_add_first patterns option sources out_rest)
  foreach(pattern IN LISTS patterns)
    fovea_add_options("${pattern}" SOURCES ${sources} OPTIONS ${option})
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()
  set(${out_rest} ${sources} PARENT_SCOPE)
endfunction()
