// Fovea - writes the example model and its image into a directory.
// SPDX-License-Identifier: Apache-2.0
import FoveaExampleModel
import FoveaLibc

/// Says what is wrong on standard error and ends with `status`.
func fail(_ message: String, status: Int32) -> Never {
  let line = Array("FoveaExample: \(message)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(status)
}

/// Writes a whole file, or says why it cannot.
func writeFile(_ path: String, _ bytes: [UInt8]) {
  guard let file = fopen(path, "wb") else {
    fail("cannot write \(path): \(String(cString: strerror(errno)))", status: 1)
  }
  let written = fwrite(bytes, 1, bytes.count, file)
  if fclose(file) != 0 || written != bytes.count {
    fail("cannot write \(path): \(String(cString: strerror(errno)))", status: 1)
  }
}

let usage = "usage: FoveaExample DIRECTORY\n"
let arguments = CommandLine.arguments.dropFirst()
if arguments.contains("--help") || arguments.contains("-h") {
  print(
    usage
      + "\nWrites shapes.mlmodel and shapes.png into DIRECTORY and lists what the image shows.")
  exit(0)
}
guard arguments.count == 1, let directory = arguments.first, !directory.hasPrefix("-") else {
  fail("expected one directory\n" + usage, status: 2)
}
let image = ShapesImage()
if mkdir(directory, 0o755) != 0 && errno != EEXIST {
  fail("cannot make \(directory): \(String(cString: strerror(errno)))", status: 1)
}
writeFile(directory + "/shapes.mlmodel", ShapesDetector.modelBytes())
writeFile(
  directory + "/shapes.png",
  UncompressedPNG.encode(
    width: ShapesImage.width, height: ShapesImage.height, pixels: image.pixels))
print("\(directory)/shapes.mlmodel  finds \(ShapesDetector.labels.joined(separator: ", "))")
print("\(directory)/shapes.png      shows, with the box [x, y, width, height] in pixels:")
for object in image.objects {
  print("  \(object.label) [\(object.x), \(object.y), \(object.side), \(object.side)]")
}
