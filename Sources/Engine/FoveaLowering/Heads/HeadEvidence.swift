// Fovea - what tells how the outputs of a detector are to be read.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues
internal import FoveaProgramEnds

/// What is known of a model whose head is looked for.
struct HeadEvidence {
  /// An output of the network.
  struct Output {
    var name: String
    var value: HeadValue

    /// The shape without leading dimensions of 1, as far as two dimensions stay.
    var matrix: (rows: Int, columns: Int)? {
      let shape = value.shape
      guard shape.count >= 2, shape.dropLast(2).allSatisfy({ $0 == 1 }) else { return nil }
      return (shape[shape.count - 2], shape[shape.count - 1])
    }
  }

  /// The outputs in the order of the description.
  let outputs: [Output]
  /// The size of the image that the network reads.
  let width: Int
  let height: Int
  /// The names of the classes, if the file has any.
  private(set) var classNames: [String]?
  /// The author's keys and values.
  let metadata: [String: String]
  /// The kinds of the operations of a program; `nil` for a network of layers.
  let kinds: Set<String>?
  /// Where columns of outputs come from; `nil` for a network of layers.
  let trace: ColumnTrace?
  /// The suppression inside the file, in front of which the outputs lie.
  let suppression: InnerSuppression?
  /// What the caller says of boxes and scores.
  let boxes: BoxUnits?
  let scores: ScoreForm?
  /// What the network wrote for a synthetic picture, if that is known.
  let samples: OutputSamples?
  /// What rules note while they look for a head.
  let notes = Notes()

  /// What rules note while they look for a head.
  final class Notes {
    /// Whether the numbers of a synthetic picture are asked for.
    fileprivate(set) var needsSample = false
    /// Why outputs are not read, in words.
    fileprivate(set) var doubts: [String] = []
  }

  /// Notes why an output is not read.
  ///
  /// - Parameter isSettled: Whether a synthetic picture cannot change that.
  func doubt(_ words: String, isSettled: Bool = false) {
    if isSettled || samples != nil, !notes.doubts.contains(words) { notes.doubts.append(words) }
  }

  /// Notes that columns are not what a head has there.
  func doubt(_ output: Output, _ columns: Range<Int>, are what: String, in rows: HeadRows?) {
    let ranges = rows.map { rows in columns.map(rows.range) } ?? []
    let least = ranges.compactMap { $0?.lowerBound }.min()
    let greatest = ranges.compactMap { $0?.upperBound }.max()
    let span = least.flatMap { least in greatest.map { "\(least) to \($0)" } } ?? "unknown numbers"
    let names =
      columns.count == 1
      ? "column \(columns.lowerBound)"
      : "columns \(columns.lowerBound) to \(columns.upperBound - 1)"
    doubt("\(names) of \"\(output.name)\" (\(span)) are not known to be \(what)")
  }

  /// The numbers of an output that the network wrote for a synthetic picture, as rows. Where they
  /// are not known, it is noted that they are asked for.
  func sample(of output: Output, isTurned: Bool = false) -> HeadRows? {
    guard let (rows, columns) = output.matrix else {
      notes.needsSample = true
      return nil
    }
    return isTurned
      ? sample(of: output, count: columns, columns: rows, isTurned: true)
      : sample(of: output, count: rows, columns: columns, isTurned: false)
  }

  /// The same for an output of another shape, of which so many rows are known.
  func sample(
    of output: Output, count: Int, columns: Int, isTurned: Bool
  ) -> HeadRows? {
    notes.needsSample = true
    return samples?.values[output.name].flatMap {
      HeadRows($0, count: count, columns: columns, isTurned: isTurned)
    }
  }

  /// What columns of an output come from.
  func origins(
    of output: Output, _ columns: Range<Int>, isTurned: Bool = false
  ) -> [ColumnOrigin] {
    guard let trace else { return columns.map { _ in .unknown } }
    let axis = output.value.rank - (isTurned ? 2 : 1)
    return columns.map { trace.origin(of: output.name, axis: axis, index: $0) }
  }

  /// Whether the graph says that rows of one box for each cell begin with objectness or not: another
  /// layer gives it than the scores. `nil` where the graph does not tell.
  func hasObjectness(_ output: Output) -> Bool? {
    guard let trace, let (_, columns) = output.matrix, columns >= 6 else { return nil }
    let axis = output.value.rank - 1
    let (first, second) = (
      trace.ends(of: output.name, axis: axis, index: 4),
      trace.ends(of: output.name, axis: axis, index: 5)
    )
    return first == [output.name] ? nil : first != second
  }

  /// Whether the graph says that boxes are in pixels: it multiplies them by strides.
  func areScaled(_ origins: [ColumnOrigin]) -> Bool {
    origins.allSatisfy { origin in
      if case .scaled(let scale) = origin { scale >= 4 } else { false }
    }
  }

  /// The number of classes, if it is known.
  var classCount: Int? { classNames.map(\.count) }

  /// What Ultralytics' exporter says the network is for, such as "detect".
  var task: String? { metadata["task"] }

  /// Whether Ultralytics' exporter says what the network is: its rows have known forms.
  var isOfUltralytics: Bool { metadata["task"] != nil && metadata["stride"] != nil }

  /// The same with another number of classes, of which nothing else is known.
  func counting(_ count: Int) -> HeadEvidence {
    var other = self
    other.classNames = [String](repeating: "", count: count)
    return other
  }

  /// The number of cells of grids of some strides, each rounded up as convolutions do.
  func cells(_ strides: [Int]) -> Int {
    strides.reduce(0) { sum, stride in
      sum + ((width + stride - 1) / stride) * ((height + stride - 1) / stride)
    }
  }

  /// The cells of such grids, one grid after another, row by row.
  func gridCells(_ strides: [Int]) -> [(x: Int, y: Int, stride: Int)] {
    strides.flatMap { stride in
      (0..<(height + stride - 1) / stride).flatMap { y in
        (0..<(width + stride - 1) / stride).map { x in (x, y, stride) }
      }
    }
  }

  /// The strides of grids that detectors have.
  static let usualStrides = [[8, 16, 32], [8, 16, 32, 64], [4, 8, 16, 32], [16, 32], [8, 16]]

  /// The strides whose cells, times the boxes of a cell, are as many as there are boxes.
  func strides(ofBoxes count: Int, inCell boxes: Int) -> [Int]? {
    Self.usualStrides.first { cells($0) * boxes == count }
  }

  /// The grids in words.
  func text(of strides: [Int]) -> String {
    "grids of \(strides.map { String($0) }.joined(separator: ", ")) pixels in \(width)x\(height)"
  }
}
