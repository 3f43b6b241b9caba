// Fovea - fovea manual: the manual page.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// Prints the manual page.
enum ManualCommand: Subcommand {
  static let description = CommandDescription(
    name: "manual", synopsis: "", summary: "Prints the manual page for man.", options: [],
    operandCount: 0...0,
    notes: "To read it: fovea manual | man -l -")

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    SystemInterface.writeOutput(
      FoveaProgram.program.manualPage(
        summary: "find objects in images with models as they are",
        text: """
          Fovea runs tiny object detectors on ordinary CPUs. It opens models as they are: Core ML
          (.mlmodel files, .mlpackage and .mlmodelc folders), ONNX (.onnx), TensorFlow Lite (.tflite),
          Darknet (.cfg beside .weights), and its own .fovea files. Images are JPEG, PNG or WebP files.

          A detector for QR codes, barcodes, Data Matrix symbols, lines of text and documents is
          part of the program.
          """))
    return 0
  }
}
