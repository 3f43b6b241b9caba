// Fovea - the objects in a picture, from Rust without any crate.
// SPDX-License-Identifier: Apache-2.0
//   rustc detect.rs -L /usr/local/lib && ./detect photo.jpg YOLOv3Tiny.mlmodel
use std::{ffi::{c_char, c_void, CStr, CString}, ptr::{null, null_mut}};
type Handle = *mut c_void;
type Text = *const c_char;
#[repr(C)]
struct Object { size: usize, label: Text, class_index: i32, confidence: f32, x: f64, y: f64, width: f64, height: f64 }

#[link(name = "fovea")]
extern "C" {
    fn fovea_model_open(path: Text, options: Handle, model: *mut Handle, message: *mut Text) -> i32;
    fn fovea_model_open_codes_and_text(options: Handle, model: *mut Handle, message: *mut Text) -> i32;
    fn fovea_detect_file(model: Handle, path: Text, options: Handle, result: *mut Handle, message: *mut Text) -> i32;
    fn fovea_result_object(result: Handle, index: usize) -> *const Object;
    fn fovea_result_free(result: Handle);
    fn fovea_model_close(model: Handle);
}

fn main() {
    let arguments: Vec<CString> = std::env::args().skip(1).map(|text| CString::new(text).unwrap()).collect();
    if arguments.is_empty() {
        eprintln!("usage: detect IMAGE [MODEL]");
        std::process::exit(2);
    }
    let (mut model, mut result, mut message) = (null_mut(), null_mut(), null());
    unsafe {
        let opened = match arguments.get(1) {
            Some(path) => fovea_model_open(path.as_ptr(), null_mut(), &mut model, &mut message),
            None => fovea_model_open_codes_and_text(null_mut(), &mut model, &mut message),
        };
        if opened != 0 || fovea_detect_file(model, arguments[0].as_ptr(), null_mut(), &mut result, &mut message) != 0 {
            eprintln!("{}", CStr::from_ptr(message).to_string_lossy());
            std::process::exit(1);
        }
        for o in (0..).map_while(|index| fovea_result_object(result, index).as_ref()) {
            let label = CStr::from_ptr(o.label).to_string_lossy();
            println!("{label} {:.6} {:.3} {:.3} {:.3} {:.3}", o.confidence, o.x, o.y, o.width, o.height);
        }
        fovea_result_free(result);
        fovea_model_close(model);
    }
}
