// Fovea - what clients of DOODS ask for.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaJSON

/// What a client of DOODS asks for.
struct DoodsRequest {
  /// The least confidence of labels, 0...1; `*` stands for all others.
  typealias Least = [String: Double]

  /// A part of the picture, in fractions from its upper left.
  struct Region {
    var identifier = ""
    var (top, left, bottom, right) = (0.0, 0.0, 1.0, 1.0)
    var least: Least = [:]
    /// Whether a box must lie inside; otherwise it only meets the region.
    var covers = false
  }

  var identifier = ""
  var detector = "default"
  /// The picture, in base 64.
  var data = ""
  /// The format of the picture that is to be drawn on; empty for none.
  var image = ""
  var least: Least = [:]
  var regions: [Region] = []

  private static let mostRegions = 100

  /// Reads the body of a request.
  ///
  /// - Throws: A refusal of 400 that tells the place.
  init(_ body: [UInt8]) throws(ServiceRefusal) {
    let outcome = body.withUnsafeBytes { bytes -> Result<DoodsRequest, JSONError> in
      Result { () throws(JSONError) in
        var parser = JSONPullParser(bytes)
        var request = DoodsRequest()
        try request.read(&parser)
        try parser.finish()
        return request
      }
    }
    switch outcome {
    case .success(let request): self = request
    case .failure(let error):
      throw ServiceRefusal(
        400, "the request is no JSON of DOODS: \(error.reason), at byte \(error.offset)")
    }
  }

  private init() {}

  private mutating func read(_ parser: inout JSONPullParser) throws(JSONError) {
    try parser.readObject { parser, key throws(JSONError) in
      if try parser.takeNull() { return }
      switch key {
      case "id": identifier = try parser.readText()
      case "detector_name": detector = try parser.readText()
      case "data": data = try parser.readText()
      case "image": image = try parser.readText()
      case "detect": least = try Self.least(&parser)
      case "regions":
        try parser.readArray { parser throws(JSONError) in
          guard regions.count < Self.mostRegions else {
            throw parser.error("more than \(Self.mostRegions) regions")
          }
          regions.append(try Self.region(&parser))
        }
      default: try parser.skipValue()
      }
    }
  }

  /// Percents by labels.
  private static func least(_ parser: inout JSONPullParser) throws(JSONError) -> Least {
    var least: Least = [:]
    try parser.readObject { parser, key throws(JSONError) in
      guard let label = key.text else { throw parser.error("expected a label") }
      least[label] = min(max(try parser.readNumber().double / 100, 0), 1)
    }
    return least
  }

  private static func region(_ parser: inout JSONPullParser) throws(JSONError) -> Region {
    var region = Region()
    try parser.readObject { parser, key throws(JSONError) in
      if try parser.takeNull() { return }
      switch key {
      case "id": region.identifier = try parser.readText()
      case "top": region.top = try parser.readNumber().double
      case "left": region.left = try parser.readNumber().double
      case "bottom": region.bottom = try parser.readNumber().double
      case "right": region.right = try parser.readNumber().double
      case "detect": region.least = try Self.least(&parser)
      case "covers": region.covers = try parser.readBoolean()
      default: try parser.skipValue()
      }
    }
    return region
  }
}
