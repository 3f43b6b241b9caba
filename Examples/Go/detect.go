// Fovea - the objects in a picture, from Go.
// SPDX-License-Identifier: Apache-2.0
//
//	go run detect.go photo.jpg YOLOv3Tiny.mlmodel
package main

/*
#cgo pkg-config: fovea
#include <stdlib.h>
#include <fovea/fovea.h>
*/
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: detect IMAGE [MODEL]")
		os.Exit(2)
	}
	image := C.CString(os.Args[1])
	defer C.free(unsafe.Pointer(image))
	var model *C.fovea_model
	var result *C.fovea_result
	var message *C.char
	var status C.fovea_status
	if len(os.Args) > 2 {
		path := C.CString(os.Args[2])
		defer C.free(unsafe.Pointer(path))
		status = C.fovea_model_open(path, nil, &model, &message)
	} else {
		status = C.fovea_model_open_codes_and_text(nil, &model, &message)
	}
	if status != 0 || C.fovea_detect_file(model, image, nil, &result, &message) != 0 {
		fmt.Fprintln(os.Stderr, C.GoString(message))
		os.Exit(1)
	}
	for i := C.size_t(0); i < C.fovea_result_object_count(result); i++ {
		o := C.fovea_result_object(result, i)
		fmt.Printf("%s %.6f %.3f %.3f %.3f %.3f\n", C.GoString(o.label), o.confidence, o.x, o.y, o.width, o.height)
	}
	C.fovea_result_free(result)
	C.fovea_model_close(model)
}
