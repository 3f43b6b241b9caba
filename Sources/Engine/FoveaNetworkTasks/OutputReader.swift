// Fovea - the tasks that the shape and the last operations of an output allow.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc
internal import FoveaModelValues

/// The tasks that the shape and the last operations of an output allow.
struct OutputReader {
  private let file: ModelDescription
  private let interface: TaskRecognition.Interface
  private let stated: NetworkTask?
  private let trace: OutputTrace

  init(
    _ file: ModelDescription, _ interface: TaskRecognition.Interface, stated: NetworkTask?
  ) {
    (self.file, self.interface, self.stated) = (file, interface, stated)
    trace = OutputTrace(file)
  }

  /// All readings of an output, with the reason of each.
  func readings(_ output: NetworkOutput) -> [TaskReading] {
    if output.isRow { return row(output) }
    guard let planes = output.planes(rows: interface.rows, columns: interface.columns) else {
      return []
    }
    if let image = output.image { return picture(output, planes, image) }
    if planes.channels > 1 { return channels(output, planes) }
    return hasIntegers(output) ? map(output, planes) : plane(output, planes)
  }

  // MARK: One kind of output after the other

  private func row(_ output: NetworkOutput) -> [TaskReading] {
    let kind = trace.lastKind(of: output.name)
    let scores =
      interface.classCount == output.count || kind == "softmax" || Self.isSigmoid(kind)
    let hasLength = trace.hasRowsOfLengthOne(output.name)
    let isNamed = output.name.lowercased().includes("embed")
    let reason =
      hasLength
      ? "its rows are divided by their length"
      : isNamed ? "it is called so" : "it is a row of \(output.count) numbers without names"
    return [
      TaskReading(
        task: .embedding, output: output.name, form: .row(count: output.count), reason: reason,
        isPlain: hasLength || isNamed && !scores)
    ]
  }

  /// An output that the file declares as a picture.
  private func picture(
    _ output: NetworkOutput, _ planes: PlaneLayout, _ image: ImageFeature
  ) -> [TaskReading] {
    guard planes.channels == 1 else {
      guard planes.channels == 3 else { return [] }
      return [
        reading(
          .image, output,
          .picture(planes, range: 0...255, isBlueFirst: image.colorSpace == .bgr),
          "the file declares it as a picture", isPlain: stated != .semantic)
      ]
    }
    let form = TaskReading.Form.plane(planes, range: 0...255)
    return [
      reading(.depth, output, form, "the file declares it as a gray picture"),
      reading(.semantic, output, form, "the file declares it as a gray picture", isPlain: false),
      reading(
        .image, output, .picture(planes, range: 0...255, isBlueFirst: false),
        "the file declares it as a gray picture", isPlain: false),
    ]
  }

  private func channels(_ output: NetworkOutput, _ planes: PlaneLayout) -> [TaskReading] {
    let multiple = planes.multiple(of: interface.rows, interface.columns)
    let range = trace.range(of: output.name)
    // A softmax over three channels is no picture, and nothing else ends with a clip.
    let isScored =
      interface.classCount == planes.channels || trace.lastKind(of: output.name) == "softmax"
    let mayBePicture = planes.channels == 3 && multiple != nil && !isScored
    let isLarger = (multiple ?? 1) > 1
    var found: [TaskReading] = []
    if !isLarger || isScored {
      found.append(
        reading(
          .semantic, output, .scores(planes),
          "it has \(planes.channels) numbers for each place of the picture",
          isPlain: !mayBePicture))
    }
    if mayBePicture {
      found.append(
        reading(
          .image, output, .picture(planes, range: range, isBlueFirst: false),
          "it has three channels of \(multiple ?? 1) times the picture's size"
            + (range.map { ", kept in \(Self.text($0))" } ?? ""),
          isPlain: isLarger || range != nil))
    }
    return found
  }

  private func map(_ output: NetworkOutput, _ planes: PlaneLayout) -> [TaskReading] {
    [reading(.semantic, output, .map(planes), "it has one integer for each place of the picture")]
  }

  private func plane(_ output: NetworkOutput, _ planes: PlaneLayout) -> [TaskReading] {
    let multiple = planes.multiple(of: interface.rows, interface.columns)
    let range = trace.range(of: output.name)
    if let multiple, multiple > 1 {
      return [
        reading(
          .image, output, .picture(planes, range: range, isBlueFirst: false),
          "it has one channel of \(multiple) times the picture's size")
      ]
    }
    let isShare = Self.isSigmoid(trace.lastKind(of: output.name))
    let reason =
      "it has one number\(isShare ? " of 0 to 1" : "") for each place of the picture"
    let name = output.name.lowercased()
    // What an output is called decides between tasks that its shape allows.
    let isMask = ["seg", "mask", "matte", "alpha"].contains { name.includes($0) }
    let isDepth = ["depth", "disp"].contains { name.includes($0) }
    return [
      reading(.depth, output, .plane(planes, range: range), reason, isPlain: isDepth || !isMask),
      reading(
        .semantic, output, .plane(planes, range: range),
        isMask ? reason + ", and is called so" : reason, isPlain: isMask || isShare && !isDepth),
    ]
  }

  private func reading(
    _ task: NetworkTask, _ output: NetworkOutput, _ form: TaskReading.Form, _ reason: String,
    isPlain: Bool = true
  ) -> TaskReading {
    TaskReading(task: task, output: output.name, form: form, reason: reason, isPlain: isPlain)
  }

  // MARK: Evidence

  /// Whether an output has integers, by its declaration or because it says where something is greatest.
  private func hasIntegers(_ output: NetworkOutput) -> Bool {
    if case .multiArray(let array)? = file.outputs.first(where: { $0.name == output.name })?.type,
      [.int32, .int8].contains(array.dataType)
    {
      return true
    }
    return ["argmax", "reduce_argmax"].contains(trace.lastKind(of: output.name))
  }

  private static func isSigmoid(_ kind: String) -> Bool { ["sigmoid", "logistic"].contains(kind) }

  private static func text(_ range: ClosedRange<Double>) -> String {
    "\(Float(range.lowerBound))...\(Float(range.upperBound))"
  }
}
