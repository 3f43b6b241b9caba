// Fovea - fovea convert: Core ML from whatever can be opened.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaLibc
internal import FoveaQuantization
internal import FoveaTraining

/// Writes a model of any format as a Core ML file.
enum ConvertCommand: Subcommand {
  static let description = CommandDescription(
    name: "convert", synopsis: "MODEL -o OUT.mlpackage [OPTIONS]",
    summary: "Writes a model of any format as a Core ML model.",
    options: [
      .modelOperand,
      .init(
        name: "-o", value: "FILE",
        help: "the package or file to write: NAME.mlpackage or NAME.mlmodel"),
      .function, .size, ArrayInputOptions.input,
    ] + ArrayInputOptions.options + [
      .init(
        name: "--shape", value: "NAME=SIZES",
        help: "the shape of an array input that leaves sizes open, such as images=1x3x320x320",
        isRepeatable: true),
      .init(
        name: "--metadata", value: "KEY=TEXT",
        help: "what is said about the model: description, author, license, version, or a key of"
          + " your own; no text removes an entry",
        isRepeatable: true),
      .init(name: "--labels", value: "FILE", help: "the names of the classes, one a line"),
      .init(
        name: "--only", value: "A,B",
        help: "cut a detector down to these classes, in this order: a smaller model that finds them"
          + " as before"),
      .head, .boxes, .scores, .task,
      .init(
        name: "--nms",
        help: "decode the boxes of a detector and add a suppression stage, as Vision wants it"),
      .init(
        name: "--iou", value: "0...1",
        help: "with --nms or --only: the overlap at which a better box drops another (default: the"
          + " model's)"),
      .init(
        name: "--confidence", value: "0...1",
        help: "with --nms or --only: the least score of an object (default: the model's)"),
      .init(name: "--agnostic", help: "with --nms or --only: boxes of all classes drop each other"),
      .init(name: "--float16", help: "store weights as halves"),
      .init(
        name: "--bits", value: "N",
        help: "store weights as tables of 1 to 8 bits, as fovea quantize does"),
      .json,
    ],
    operandCount: 1...1,
    notes: """
      The source is a model of any format that Fovea opens: Core ML (.mlmodel, .mlpackage,
      .mlmodelc), ONNX, TensorFlow Lite, Darknet. Programs are written for the oldest system that
      has their operations: iOS 15 (macOS 12) at least. Networks of layers keep their layers. Source
      and result give the same numbers.

      A detector or classifier that reads an array gets a picture as its input, scaled and shifted
      by operations of the program; --input arrays keeps the array. A classifier of another format
      gives labels with their probabilities then.

      NAME.mlpackage has its weights in a file of their own, as Core ML wants it. NAME.mlmodel is
      one file: the same model with its weights inside.

      --nms makes a pipeline of the detector and Core ML's suppression of boxes, whose outputs are
      confidence and coordinates: what Vision turns into recognized objects.

      --only takes the rows of all other classes out of the heads, without training: boxes and
      scores of these classes stay what they are, and weights keep their bits. The best label of a
      box is chosen among them. The result is a program with a suppression of boxes. Detectors with
      boxes beside anchors and a sigmoid for each class (YOLOv3, YOLOv4) or with distances (YOLOv8,
      YOLO11) can be cut.

      Names of inputs and outputs keep letters, digits and underscores. Other characters become
      underscores, and the report says so.
      """,
    leading: .model)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let path = arguments.operands[0]
    let output = try OutputForm(
      try arguments.required("-o", "name the package to write, such as detector.mlpackage"))
    var options = ConversionOptions()
    options.loading = try ModelLoading.options(arguments)
    options.isPackage = output.isPackage
    options.loading.pictures = try ArrayInputOptions.choice(arguments)
    for shape in arguments.values("--shape") {
      let (name, sizes) = try Self.shape(shape)
      options.loading.arrayShapes[name] = sizes
    }
    for entry in arguments.values("--metadata") {
      let assignment = try Assignment(
        entry, option: "--metadata", form: "KEY=TEXT, such as author=Me", allowsNothing: true)
      options.metadata[assignment.name] = assignment.value
    }
    if let file = arguments.value("--labels") { options.labels = try labels(in: file) }
    options.suppression = try suppression(arguments)
    let only = try arguments.names("--only")
    if only != nil, options.loading.pictures == nil {
      throw UsageError("--only is for detectors that read pictures; leave --input arrays out")
    }
    let bits = try arguments.integer("--bits", in: 1...8)
    if bits != nil, arguments.has("--float16") {
      throw UsageError("--float16 makes no codes; leave --bits out")
    }
    do {
      var conversion: ModelConversion
      if let only {
        conversion = try ClassCut.conversion(of: path, keeping: only, options: options)
      } else {
        conversion = try ModelConversion(contentsOf: path, options: options)
      }
      if let bits {
        let quantizer = try ModelQuantizer(conversion.files)
        try conversion.take(quantizer.quantize(QuantizationOptions(bits: bits)).files)
      } else if arguments.has("--float16") {
        try conversion.take(ModelQuantizer(conversion.files).inHalfPrecision().files)
      }
      try output.write(conversion.files)
      try ConversionReport(conversion, file: output.path, source: path)
        .write(asJSON: arguments.has("--json"))
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(error, file: path)
    }
    return 0
  }

  /// The stage that `--nms` asks for.
  private static func suppression(
    _ arguments: ArgumentList
  ) throws(UsageError) -> AddedSuppression? {
    guard arguments.has("--nms") || arguments.has("--only") else {
      if let option = ["--iou", "--confidence", "--agnostic"].first(where: arguments.has) {
        throw UsageError("\(option) is about the stage that --nms adds")
      }
      return nil
    }
    var stage = AddedSuppression()
    stage.iouThreshold = try arguments.fraction("--iou")
    stage.confidenceThreshold = try arguments.fraction("--confidence")
    if arguments.has("--agnostic") { stage.isClassAgnostic = true }
    return stage
  }

  private static let shapeForm = "NAME=SIZES, such as images=1x3x320x320"

  private static func shape(_ text: String) throws(UsageError) -> (String, [Int]) {
    let assignment = try Assignment(text, option: "--shape", form: shapeForm)
    let sizes = assignment.value.split(separator: "x", omittingEmptySubsequences: false)
      .map { Int($0) ?? 0 }
    guard sizes.allSatisfy({ $0 > 0 }) else {
      throw UsageError("--shape is '\(text)'; expected \(shapeForm)")
    }
    return (assignment.name, sizes)
  }

  /// The lines of a file that are not empty.
  private static func labels(in path: String) throws(CommandFailure) -> [String] {
    let bytes: [UInt8]
    do throws(FoveaError) { bytes = try ModelFile.read(path) } catch {
      throw CommandFailure(error, file: path)
    }
    let labels = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map(String.init)
    guard !labels.isEmpty else {
      throw CommandFailure("\(path): there are no names of classes; expected one a line")
    }
    return labels
  }
}

/// What is written: a package, or one file.
private struct OutputForm {
  let path: String
  let isPackage: Bool

  init(_ path: String) throws(UsageError) {
    self.path = path
    let name = path.hasSuffix("/") ? String(path.dropLast()) : path
    isPackage = name.hasSuffix(".mlpackage")
    guard isPackage || name.hasSuffix(".mlmodel") else {
      throw UsageError("-o is '\(path)'; expected a name that ends in .mlpackage or .mlmodel")
    }
  }

  func write(_ files: PackageFiles) throws(FoveaError) {
    if isPackage {
      try files.write(to: path)
    } else {
      try ModelFile.replace(path, with: files.model)
    }
  }
}
