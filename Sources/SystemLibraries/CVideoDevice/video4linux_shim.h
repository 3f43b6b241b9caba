// Fovea - the kernel's interface to cameras.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_VIDEO4LINUX_SHIM_H
#define FOVEA_VIDEO4LINUX_SHIM_H

#include <linux/videodev2.h>
#include <stdint.h>
#include <sys/ioctl.h>

// A function of many arguments, which Swift does not call.
static inline int fov_camera_call(int device, unsigned long request, void *_Nonnull argument) {
  return ioctl(device, request, argument);
}

// Macros that Swift does not see.
static const unsigned long fov_camera_query_capability = VIDIOC_QUERYCAP;
static const unsigned long fov_camera_list_format = VIDIOC_ENUM_FMT;
static const unsigned long fov_camera_set_format = VIDIOC_S_FMT;
static const unsigned long fov_camera_set_parameters = VIDIOC_S_PARM;
static const unsigned long fov_camera_request_buffers = VIDIOC_REQBUFS;
static const unsigned long fov_camera_query_buffer = VIDIOC_QUERYBUF;
static const unsigned long fov_camera_queue = VIDIOC_QBUF;
static const unsigned long fov_camera_dequeue = VIDIOC_DQBUF;
static const unsigned long fov_camera_start = VIDIOC_STREAMON;
static const unsigned long fov_camera_stop = VIDIOC_STREAMOFF;

static const uint32_t fov_camera_can_capture = V4L2_CAP_VIDEO_CAPTURE;
static const uint32_t fov_camera_can_stream = V4L2_CAP_STREAMING;
static const uint32_t fov_camera_has_device_capabilities = V4L2_CAP_DEVICE_CAPS;
static const uint32_t fov_camera_capture = V4L2_BUF_TYPE_VIDEO_CAPTURE;
static const uint32_t fov_camera_mapped = V4L2_MEMORY_MMAP;
static const uint32_t fov_camera_any_field = V4L2_FIELD_ANY;
static const uint32_t fov_camera_buffer_error = V4L2_BUF_FLAG_ERROR;
static const uint32_t fov_camera_clock_mask = V4L2_BUF_FLAG_TIMESTAMP_MASK;
static const uint32_t fov_camera_monotonic = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
static const uint32_t fov_camera_full_range = V4L2_QUANTIZATION_FULL_RANGE;
static const uint32_t fov_camera_bt709 = V4L2_YCBCR_ENC_709;
static const uint32_t fov_camera_bt2020 = V4L2_YCBCR_ENC_BT2020;
static const uint32_t fov_camera_rec709 = V4L2_COLORSPACE_REC709;

#endif
