// Fovea - what Frigate sends over ZeroMQ.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaJSON

/// A message of Frigate's detector of the type `zmq`: a header in JSON, and bytes behind it.
enum FrigateRequest: Hashable {
  /// Whether a model is here.
  case asksForModel(name: String)
  /// The file of a model.
  case model(name: String)
  /// A picture of the network's size: [1, rows, columns, 3] or [1, 3, rows, columns].
  case tensor(shape: [Int], type: String)

  /// Reads a header.
  ///
  /// - Returns: `nil` for what is no such header.
  init?(_ header: [UInt8]) {
    var fields = Fields()
    let isRead = header.withUnsafeBytes { bytes in
      var parser = JSONPullParser(bytes)
      do throws(JSONError) {
        try fields.read(&parser)
        try parser.finish()
        return true
      } catch {
        return false
      }
    }
    guard isRead else { return nil }
    if fields.asks {
      self = .asksForModel(name: fields.name)
    } else if fields.sends {
      self = .model(name: fields.name)
    } else if !fields.shape.isEmpty {
      self = .tensor(shape: fields.shape, type: fields.type)
    } else {
      return nil
    }
  }

  private struct Fields {
    var (asks, sends) = (false, false)
    var (name, type) = ("", "uint8")
    var shape: [Int] = []

    mutating func read(_ parser: inout JSONPullParser) throws(JSONError) {
      try parser.readObject { parser, key throws(JSONError) in
        switch key {
        case "model_request": asks = try parser.readBoolean()
        case "model_data": sends = try parser.readBoolean()
        case "model_name": name = try parser.readText()
        case "dtype": type = try parser.readText()
        case "shape":
          try parser.readArray { parser throws(JSONError) in
            guard shape.count < 8 else { throw parser.error("too many sizes") }
            shape.append(try parser.readInteger())
          }
        default: try parser.skipValue()
        }
      }
    }
  }
}

/// The pixels of a tensor that Frigate sends.
struct FrigatePicture {
  let size: ImageSize
  /// Red, green and blue of each pixel, row by row.
  let pixels: [UInt8]

  private static let greatestSide = 4096

  /// - Returns: `nil` for a shape of another kind, and for other bytes than it has.
  init?(shape: [Int], type: String, bytes: [UInt8]) {
    guard shape.count == 4, shape[0] == 1,
      shape.dropFirst().allSatisfy({ (1...Self.greatestSide).contains($0) })
    else { return nil }
    let planes = shape[1] == 3 && shape[3] != 3
    guard planes || shape[3] == 3 else { return nil }
    size =
      planes
      ? ImageSize(width: shape[3], height: shape[2]) : ImageSize(width: shape[2], height: shape[1])
    guard let values = Self.values(bytes, type, count: 3 * size.width * size.height) else {
      return nil
    }
    guard planes else {
      pixels = values
      return
    }
    let count = size.width * size.height
    pixels = (0..<3 * count).map { values[$0 % 3 * count + $0 / 3] }
  }

  /// Samples of 8 bits. Floats count 0 to 1, or 0 to 255 where one is greater: no picture that can be
  /// seen is as dark as 1 of 255 all over.
  private static func values(_ bytes: [UInt8], _ type: String, count: Int) -> [UInt8]? {
    switch type {
    case "uint8": return bytes.count == count ? bytes : nil
    case "float32":
      guard bytes.count == 4 * count else { return nil }
      let floats = bytes.withUnsafeBytes { bytes in
        (0..<count).map {
          Float(
            bitPattern: UInt32(
              littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
        }
      }
      let factor: Float = floats.contains { $0 > 1 } ? 1 : 255
      return floats.map { UInt8(max(0, min(255, ($0 * factor).rounded()))) }
    default: return nil
    }
  }
}
