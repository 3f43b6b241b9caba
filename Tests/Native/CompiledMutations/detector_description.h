// Fovea - the description of a detector, as a compiled file has it.
// SPDX-License-Identifier: Apache-2.0
#ifndef DETECTOR_DESCRIPTION_H
#define DETECTOR_DESCRIPTION_H

#include <stdint.h>

// Of the outputs "confidence" and "coordinates", without labels: any number of classes fits. What
// `fovea compile` writes; CSources/detect/fov_detector_record.h draws it.
// clang-format off
static const uint8_t detector_description[] = {
    0, 0, 0, 0, 0x82, 0xA6, 0x1D, 71,                             // last stage, tag, length
    2, 0, 0, 0, 0, 0, 0, 0,                                       // version, classes
    0, 0, 0, 0, 0, 0, 0xD0, 0x3F, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F,    // 0.25, 0.5
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F,          // 0, 1
    0, 0, 0, 0, 0, 0, 0, 0,                                       // class agnostic, all objects
    'c', 'o', 'n', 'f', 'i', 'd', 'e', 'n', 'c', 'e', 0,           // output of scores
    'c', 'o', 'o', 'r', 'd', 'i', 'n', 'a', 't', 'e', 's', 0};     // output of boxes
// clang-format on

#endif
