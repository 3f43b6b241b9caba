// Fovea - boxes of a file become boxes in pixels of an upright picture.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// Places boxes of a file in an upright picture, in pixels, and says what had to be changed for it.
struct BoxPlacer {
  /// Boxes reach beyond edges by what numbers were rounded to; less than this is not worth a word.
  private static let allowance = 0.5

  private let options: AnnotationOptions
  /// Whether boxes belong to pictures as they are stored.
  var areStoredRows = false
  /// The boxes of the picture.
  private(set) var boxes: [AnnotatedSet.Box] = []
  private(set) var findings: [AnnotationFinding] = []
  private var name = ""
  private var size = PictureSize(stored: ImageSize(width: 1, height: 1), orientation: .up)
  private var seen: Set<Key> = []

  /// What makes two boxes the same: label and edges, in hundredths of a pixel.
  private struct Key: Hashable {
    var label: Int
    var edges: [Int]
  }

  init(_ options: AnnotationOptions) { self.options = options }

  /// Begins a picture.
  mutating func begin(_ name: String, _ size: PictureSize) {
    (self.name, self.size) = (name, size)
    boxes = []
    seen = []
  }

  /// Adds the boxes that a file has of the picture.
  ///
  /// - Parameter labels: The labels of the set for those of the file.
  mutating func add(_ raw: RawAnnotations.Picture, _ labels: [Int]) {
    let frame = frame(of: raw)
    for box in raw.boxes {
      add(box, label: labels[box.label], frame)
    }
  }

  // MARK: Frames

  /// What the numbers of a file count in.
  private struct Frame {
    /// Pixels that the numbers are meant for.
    var size: ImageSize
    /// Factors to the pixels of the picture.
    var scaleX = 1.0
    var scaleY = 1.0
    /// Whether they are of the stored picture.
    var isStored = false
  }

  /// The size that boxes are meant for; `nil` where none is stated.
  static func statedSize(of raw: RawAnnotations.Picture) -> (width: Double, height: Double)? {
    guard let width = raw.width, let height = raw.height, (1...1e9).contains(width),
      (1...1e9).contains(height)
    else { return nil }
    return (width, height)
  }

  private mutating func frame(of raw: RawAnnotations.Picture) -> Frame {
    let upright = size.upright
    guard let (width, height) = Self.statedSize(of: raw) else {
      let isStored = areStoredRows && size.orientation != .up
      if isStored, !raw.boxes.isEmpty { noteStoredRows() }
      return Frame(size: isStored ? size.stored : upright, isStored: isStored)
    }
    if (width, height) == (Double(upright.width), Double(upright.height)) {
      return Frame(size: upright)
    }
    if (width, height) == (Double(size.stored.width), Double(size.stored.height)) {
      if !raw.boxes.isEmpty { noteStoredRows() }
      return Frame(size: size.stored, isStored: true)
    }
    if !raw.boxes.isEmpty {
      findings.append(
        AnnotationFinding(
          .scaledBoxes, name,
          "annotated at \(Self.text(width)) x \(Self.text(height)), has \(upright); boxes scaled"))
    }
    return Frame(
      size: upright, scaleX: Double(upright.width) / width,
      scaleY: Double(upright.height) / height)
  }

  private mutating func noteStoredRows() {
    findings.append(
      AnnotationFinding(
        .storedRows, name,
        "the boxes fit the picture as it is stored, not upright; turned by its EXIF orientation"))
  }

  /// Whether all boxes lie in a picture of a size, as far as they are pixels.
  static func fits(_ raw: RawAnnotations.Picture, _ size: ImageSize) -> Bool {
    raw.boxes.allSatisfy { box in
      let edges = pixels(box.rectangle, Frame(size: size))
      return box.rectangle.isShare
        || (edges.x > -1 && edges.y > -1 && edges.x + edges.width < Double(size.width) + 1
          && edges.y + edges.height < Double(size.height) + 1)
    }
  }

  // MARK: Boxes

  /// A rectangle in pixels of its frame, from the upper left.
  private static func pixels(_ rectangle: RawRectangle, _ frame: Frame) -> RawRectangle {
    var pixels = rectangle
    let columns = rectangle.isShare ? Double(frame.size.width) : frame.scaleX
    let rows = rectangle.isShare ? Double(frame.size.height) : frame.scaleY
    pixels.x *= columns
    pixels.width *= columns
    pixels.y *= rows
    pixels.height *= rows
    if rectangle.countsFromBottom {
      // Downwards from here on: the lower edge is now the one of greater y.
      pixels.y = Double(frame.size.height) - pixels.y
    }
    switch rectangle.anchor {
    case .topLeft: break
    case .bottomLeft: pixels.y -= pixels.height
    case .center:
      pixels.x -= pixels.width / 2
      pixels.y -= pixels.height / 2
    }
    return pixels
  }

  private mutating func add(_ raw: RawAnnotations.Box, label: Int, _ frame: Frame) {
    let rectangle = raw.rectangle
    var box = Self.pixels(rectangle, frame)
    guard rectangle.isReasonable, box.isReasonable else { return leaveOut(.boxOutside) }
    if frame.isStored { box = turned(box, frame.size) }
    var placed = AnnotatedSet.Box(
      classIndex: label, x: box.x, y: box.y, width: box.width, height: box.height,
      isIgnored: raw.isIgnored)
    exchangeCorners(&placed)
    if options.keepsBoxesAsWritten {
      placed.shape = raw.shape.map { shape($0, frame) }
      return boxes.append(placed)
    }
    guard placed.width > 0, placed.height > 0 else { return leaveOut(.boxWithoutArea) }
    guard cut(&placed) else { return leaveOut(.boxOutside) }
    let edges = [placed.x, placed.y, placed.maxX, placed.maxY].map { Int(($0 * 100).rounded()) }
    guard seen.insert(Key(label: label, edges: edges)).inserted else { return leaveOut(.boxTwice) }
    boxes.append(placed)
  }

  /// Points in pixels of the upright picture.
  private func shape(_ raw: RawShape, _ frame: Frame) -> PlacedShape {
    let upright = size.upright
    func place(_ point: (x: Double, y: Double)) -> PlacedShape.Point {
      let (x, y) =
        frame.isStored ? size.orientation.upright(u: point.x, v: point.y) : (point.x, point.y)
      return PlacedShape.Point(x: x * Double(upright.width), y: y * Double(upright.height))
    }
    return PlacedShape(
      outline: raw.outline.map(place), keypoints: raw.keypoints.map { $0.map(place) })
  }

  private mutating func leaveOut(_ kind: AnnotationFinding.Kind) {
    let text =
      switch kind {
      case .boxOutside: "a box lies outside; left out"
      case .boxWithoutArea: "a box has no area; left out"
      default: "the same box twice"
      }
    findings.append(AnnotationFinding(kind, name, text))
  }

  /// A rectangle of the stored picture in the upright one.
  private func turned(_ box: RawRectangle, _ stored: ImageSize) -> RawRectangle {
    let (columns, rows) = (Double(stored.width), Double(stored.height))
    let (width, height) = (Double(size.upright.width), Double(size.upright.height))
    let one = size.orientation.upright(u: box.x / columns, v: box.y / rows)
    let other = size.orientation.upright(
      u: (box.x + box.width) / columns, v: (box.y + box.height) / rows)
    return RawRectangle(
      left: min(one.x, other.x) * width, top: min(one.y, other.y) * height,
      right: max(one.x, other.x) * width, bottom: max(one.y, other.y) * height)
  }

  private mutating func exchangeCorners(_ box: inout AnnotatedSet.Box) {
    guard box.width < 0 || box.height < 0 else { return }
    let edges =
      box.width < 0 ? "right edge left of the left edge" : "lower edge above the upper edge"
    findings.append(AnnotationFinding(.cornersExchanged, name, "\(edges); exchanged"))
    if box.width < 0 { (box.x, box.width) = (box.x + box.width, -box.width) }
    if box.height < 0 { (box.y, box.height) = (box.y + box.height, -box.height) }
  }

  /// Cuts a box at the edges of the picture; `false` where nothing is left.
  private mutating func cut(_ box: inout AnnotatedSet.Box) -> Bool {
    let (columns, rows) = (Double(size.upright.width), Double(size.upright.height))
    let beyond = [
      ("left", -box.x), ("upper", -box.y), ("right", box.maxX - columns),
      ("lower", box.maxY - rows),
    ]
    guard box.x < columns, box.y < rows, box.maxX > 0, box.maxY > 0 else { return false }
    // Numbers of boxes that lie inside stay what they are, to the last bit.
    if beyond[0].1 > 0 { (box.x, box.width) = (0, box.maxX) }
    if beyond[1].1 > 0 { (box.y, box.height) = (0, box.maxY) }
    if box.maxX > columns { box.width = columns - box.x }
    if box.maxY > rows { box.height = rows - box.y }
    if let most = beyond.max(by: { $0.1 < $1.1 }), most.1 > Self.allowance {
      let pixels = Self.text(most.1)
      findings.append(
        AnnotationFinding(
          .boxCut, name,
          "a box reaches \(pixels) \(pixels == "1" ? "pixel" : "pixels") beyond the \(most.0) edge; cut"
        ))
    }
    return box.width > 0 && box.height > 0
  }

  /// A number with at most one digit behind the point.
  private static func text(_ number: Double) -> String { BoxNumber.text(number, digits: 1) }
}
