// Fovea - one sequence of pictures, followed and compared with true boxes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaFollowing
internal import FoveaGeometry
internal import FoveaImaging

/// One sequence of pictures, followed and compared with true boxes.
struct FollowedRun {
  let name: String
  /// Intersection over union of each picture that shows the object, without the first.
  private(set) var overlaps: [Double] = []
  /// Pictures without the object, and those of them where the confidence was below 0.3.
  private(set) var absent = 0, absentSaid = 0
  /// Of each step.
  private(set) var milliseconds: [Double] = []

  init(folder: String, boxes path: String, level: TrackingLevel, seconds: Double) throws {
    name = folder.split(separator: "/").last.map(String.init) ?? folder
    guard let text = TextFile.read(path) else {
      throw CommandFailure("\(path): cannot be read as a text file of boxes")
    }
    let boxes = Self.boxes(text)
    guard let names = SystemInterface.fileNames(in: folder) else {
      throw CommandFailure("\(folder): cannot be read as a folder of pictures")
    }
    let pictures = names.filter { name in
      [".jpg", ".jpeg", ".png"].contains { name.lowercased().hasSuffix($0) }
    }.sorted()
    guard case let first?? = boxes.first, boxes.count > 1, pictures.count > 1 else {
      throw CommandFailure(
        "\(folder): there are \(pictures.count) pictures and \(boxes.count) boxes; "
          + "two of each and a first box are needed")
    }
    var follower = try ObjectFollower(level: level)
    for (index, (picture, box)) in zip(pictures, boxes).enumerated() {
      let path = folder + "/" + picture
      do {
        let image = try ImageFile(contentsOf: path).decoded()
        try take(image, &follower, start: index == 0 ? first : nil, box, seconds: seconds)
      } catch let error as ImageError {
        throw CommandFailure(error, file: path)
      } catch let error as FollowingError {
        throw CommandFailure(error, file: path)
      }
    }
  }

  /// Starts in the first picture, and follows in the others.
  private mutating func take(
    _ image: Image, _ follower: inout ObjectFollower, start: ImageRect?, _ box: ImageRect?,
    seconds: Double
  ) throws {
    let layout = FollowedImage.Plane(
      width: image.width, height: image.height, rowBytes: image.width * 3, pixelBytes: 3)
    let clock = ContinuousClock()
    let begin = clock.now
    let object: FollowedObject? = try image.withPixels { pixels throws(FollowingError) in
      try FollowedImage.withColors(pixels.bytes, layout) { picture throws(FollowingError) in
        guard let start else { return try follower.step(in: picture, seconds: seconds) }
        try follower.start(in: picture, box: start)
        return nil
      }
    }
    guard let object else { return }
    milliseconds.append((clock.now - begin) / .milliseconds(1))
    judge(object, box)
  }

  /// The mean over thresholds of the share of pictures above; 0 without any picture.
  var areaUnderCurve: Double {
    guard !overlaps.isEmpty else { return 0 }
    let above = (0...20).map { step in
      overlaps.count { $0 > Double(step) * 0.05 }
    }
    return Double(above.reduce(0, +)) / Double(21 * overlaps.count)
  }

  private mutating func judge(_ object: FollowedObject, _ box: ImageRect?) {
    guard let box else {
      absent += 1
      absentSaid += object.confidence < 0.3 ? 1 : 0
      return
    }
    let (a, b) = (object.box, box)
    let width = min(a.maxX, b.maxX) - max(a.minX, b.minX)
    let height = min(a.maxY, b.maxY) - max(a.minY, b.minY)
    let both = max(0, width) * max(0, height)
    overlaps.append(both / (a.width * a.height + b.width * b.height - both))
  }

  /// A box or nil a line.
  private static func boxes(_ text: String) -> [ImageRect?] {
    text.split(whereSeparator: \.isNewline).map { line in
      let numbers = line.split { $0 == "," || $0 == " " || $0 == "\t" }.map { Double($0) ?? .nan }
      guard numbers.count >= 4, numbers.prefix(4).allSatisfy(\.isFinite), numbers[2] > 0,
        numbers[3] > 0
      else { return nil }
      return ImageRect(
        x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3], origin: .upperLeft)
    }
  }
}
