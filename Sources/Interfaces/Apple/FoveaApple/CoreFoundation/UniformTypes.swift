// Fovea - names of kinds of files.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

nonisolated(unsafe) public let kUTTypeJPEG: CFString = "public.jpeg"
nonisolated(unsafe) public let kUTTypePNG: CFString = "public.png"
