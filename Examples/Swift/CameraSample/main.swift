// Fovea - a program that looks at a camera's NV12 buffer where it lies.
// SPDX-License-Identifier: Apache-2.0
//
// CameraSample MODEL IMAGE prints the objects in a frame, which shows the image.
import Fovea

/// A buffer as video drivers lend it: both planes in one allocation, rows of luma and then rows of
/// U V pairs, each row padded to a multiple of 256 bytes.
struct CameraBuffer {
  let layout: PixelLayout
  let memory: UnsafeMutableRawBufferPointer

  init(width: Int, height: Int) {
    let rowBytes = (width + 255) / 256 * 256
    layout = PixelLayout(
      format: .nv12, width: width, height: height, rowBytes: rowBytes,
      chromaOffset: rowBytes * height, chromaRowBytes: rowBytes, yuvEncoding: .bt601Full)
    memory = .allocate(byteCount: rowBytes * (height + (height + 1) / 2), alignment: 256)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// What the camera would do: writes an image, one pixel of color for four of luma.
  func capture(_ image: Image) {
    for y in 0..<layout.height {
      for x in 0..<layout.width {
        let pixel = image.rgb[(y * image.width + x) * 3..<(y * image.width + x) * 3 + 3]
          .map { Double($0) }
        let luma = 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]
        memory[y * layout.rowBytes + x] = Self.byte(luma)
        guard x % 2 == 0, y % 2 == 0 else { continue }
        let pair = layout.chromaOffset + y / 2 * layout.chromaRowBytes + x
        memory[pair] = Self.byte(128 + (pixel[2] - luma) / 1.772)
        memory[pair + 1] = Self.byte(128 + (pixel[0] - luma) / 1.402)
      }
    }
  }

  private static func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
}

let image = try Image(contentsOf: CommandLine.arguments[2])
let frame = CameraBuffer(width: image.width, height: image.height)
defer { frame.memory.deallocate() }
frame.capture(image)

let request = try DetectObjectsRequest(model: Model(contentsOf: CommandLine.arguments[1]))
let pixels = UnsafeRawBufferPointer(frame.memory)
for object in try request.perform(onPixels: pixels.bytes, layout: frame.layout) {
  print(object)
}
