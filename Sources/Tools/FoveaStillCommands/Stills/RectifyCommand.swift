// Fovea - fovea rectify: writes what lies in four corners as an upright picture.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelCommands
internal import FoveaStills

/// Writes what lies in four corners as an upright picture.
enum RectifyCommand: Subcommand {
  static let description = CommandDescription(
    name: "rectify", synopsis: "IMAGE -o FILE [OPTIONS]",
    summary: "Writes a page, a card or any four corners as if seen from the front.",
    options: [
      .init(
        name: "-o", value: "FILE", help: "the picture that is written: .png or .jpg (required)"),
      .init(
        name: "--corners", value: "X,Y,X,Y,X,Y,X,Y",
        help: "pixels of the upright image, from the thing's upper left corner, clockwise"),
      .init(name: "--width", value: "N", help: "the number of columns of the picture"),
      .init(name: "--height", value: "N", help: "the number of rows of the picture"),
      .init(
        name: "--orientation", value: "1...8", help: "how to turn the image, instead of its EXIF",
        choices: ImageOrientation.allCases.map { "\($0.rawValue)" }),
    ],
    operandCount: 1...1,
    notes: """
      Without --corners, the document of the image is taken, else its most confident rectangle. Without
      a size, the longest sides keep their length, and the ratio of the sides is that of the thing.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let path = arguments.operands[0]
    let output = try arguments.required("-o", "name the picture to write, such as page.png")
    guard let format = try? DrawingFormat(forFile: output), format != .svg else {
      throw UsageError("-o is '\(output)'; expected a name that ends in .png, .jpg or .jpeg")
    }
    let sides = 1...RectifiedSize.longestSide
    let (width, height) = (
      try arguments.integer("--width", in: sides), try arguments.integer("--height", in: sides)
    )
    let given = try corners(arguments)
    let orientation = try arguments.integer("--orientation", in: 1...8)
      .flatMap { ImageOrientation(rawValue: $0) }
    let picture = StillPicture(try Image.toDrawOn(path, orientation: orientation))
    let result: Image
    do throws(StillError) {
      var found = given.map { picture.quadrilateral($0) }
      if found == nil { found = try best(in: picture) }
      guard let quad = found else {
        throw .invalidRequest("no document or rectangle was found; name its --corners")
      }
      result = try quad.image(in: picture, width: width, height: height)
    } catch {
      throw CommandFailure(error, file: path)
    }
    do throws(ImageError) {
      try result.write(to: output, as: format == .png ? .png : .jpeg)
    } catch {
      throw CommandFailure("\(error)")
    }
    SystemInterface.reportWritten(output)
    return 0
  }

  /// The corners that are given.
  private static func corners(_ arguments: ArgumentList) throws(UsageError) -> PixelQuad? {
    guard let text = arguments.value("--corners") else { return nil }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let known = numbers.compactMap { $0 }.filter(\.isFinite)
    guard numbers.count == 8, known.count == 8 else {
      throw UsageError("--corners is '\(text)'; expected eight numbers: x,y of four corners")
    }
    let points = (0..<4).map { SIMD2(known[2 * $0], known[2 * $0 + 1]) }
    return PixelQuad(points[0], points[1], points[2], points[3])
  }

  /// The document of a picture, or its most confident rectangle.
  private static func best(in picture: StillPicture) throws(StillError) -> Quadrilateral? {
    if let document = try DetectDocumentSegmentationRequest().result(in: picture) {
      return Quadrilateral(document)
    }
    return try DetectRectanglesRequest().result(in: picture).first.map { Quadrilateral($0) }
  }
}
