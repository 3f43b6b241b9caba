// Fovea - tensors of KServe V2.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaJSON
internal import FoveaModelValues
internal import FoveaRuntime

/// A tensor of an answer.
struct KServeTensor {
  /// The elements, in the order of memory.
  enum Elements {
    case floats([Float])
    case integers([Int64])
    case texts([String])
  }

  var name: String
  var shape: [Int]
  var elements: Elements

  private var datatype: String {
    switch elements {
    case .floats: "FP32"
    case .integers: "INT64"
    case .texts: "BYTES"
    }
  }

  /// The elements as bytes, in the order of small machines; each text behind its length.
  private var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func append(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
    switch elements {
    case .floats(let numbers):
      bytes.reserveCapacity(4 * numbers.count)
      for number in numbers { append(number.bitPattern) }
    case .integers(let numbers): for number in numbers { append(number) }
    case .texts(let texts):
      for text in texts {
        append(UInt32(text.utf8.count))
        bytes += text.utf8
      }
    }
    return bytes
  }

  private var list: String {
    switch elements {
    // What is no number has no form in JSON.
    case .floats(let numbers):
      numbers.map { $0.isFinite ? JSONText.number($0) : "null" }.joined(separator: ",")
    case .integers(let numbers): numbers.map { "\($0)" }.joined(separator: ",")
    case .texts(let texts): texts.map { JSONText.quoted($0) }.joined(separator: ",")
    }
  }

  /// The tensor in JSON, and the bytes behind it where it is `isBinary`.
  func text(isBinary: Bool, into binary: inout [UInt8]) -> String {
    let head =
      "{\"name\":\(JSONText.quoted(name)),\"datatype\":\"\(datatype)\","
      + "\"shape\":[\(shape.map { "\($0)" }.joined(separator: ","))]"
    guard isBinary else { return head + ",\"data\":[\(list)]}" }
    let bytes = bytes
    binary += bytes
    return head + ",\"parameters\":{\"binary_data_size\":\(bytes.count)}}"
  }
}

extension ModelPort {
  /// The type of the elements, as KServe V2 writes it.
  var kserveType: String { type == .float32 ? "FP32" : type == .uint8 ? "UINT8" : "INT32" }
}

extension KServeRequest.Input {
  /// The tensor for an input of a model.
  ///
  /// - Throws: A refusal of 400 for another type, or another number of elements.
  func tensor(for port: ModelPort) throws(ServiceRefusal) -> Tensor {
    let wanted = port.kserveType
    guard datatype == wanted || (datatype == "FP16" || datatype == "FP64") && wanted == "FP32"
    else {
      throw ServiceRefusal(
        400, "the input '\(name)' is \(datatype); the model takes \(wanted) of shape \(port.shape)")
    }
    // One picture more or less in front changes no element.
    guard Array(shape.drop { $0 == 1 }) == Array(port.shape.drop { $0 == 1 }) else {
      throw ServiceRefusal(
        400,
        "the input '\(name)' has the shape \(shape); the model takes \(wanted) of shape "
          + "\(port.shape)")
    }
    do {
      if wanted == "UINT8" {
        return try Tensor(shape: port.shape, uint8s: try byteElements())
      }
      return try Tensor(shape: port.shape, floats: try floatElements())
    } catch let refusal as ServiceRefusal {
      throw refusal
    } catch {
      throw ServiceRefusal(400, "the input '\(name)': \(error)")
    }
  }

  private func byteElements() throws(ServiceRefusal) -> [UInt8] {
    guard binarySize == nil else { return Array(binary) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count)
    for number in numbers {
      guard let byte = UInt8(exactly: number) else {
        throw ServiceRefusal(400, "the input '\(name)' has \(number); UINT8 is 0 to 255")
      }
      bytes.append(byte)
    }
    return bytes
  }

  private func floatElements() throws(ServiceRefusal) -> [Float] {
    guard binarySize != nil else { return numbers.map { Float($0) } }
    let size = datatype == "FP16" ? 2 : datatype == "FP64" ? 8 : 4
    guard binary.count % size == 0 else {
      throw ServiceRefusal(
        400, "the input '\(name)' has \(binary.count) bytes; \(datatype) has \(size) an element")
    }
    return binary.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: size).map { place in
        switch size {
        case 2:
          Float(
            halfPrecisionBits: UInt16(
              littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
        case 8:
          Float(
            Double(
              bitPattern: UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))))
        default:
          Float(
            bitPattern: UInt32(
              littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
        }
      }
    }
  }

  /// The bytes of the one picture that the input holds.
  ///
  /// - Throws: A refusal of 400 for several, or for none.
  func picture() throws(ServiceRefusal) -> [UInt8] {
    guard shape.allSatisfy({ $0 == 1 }) else {
      throw ServiceRefusal(
        400, "the input '\(name)' has the shape \(shape); send one picture in a request, shape [1]")
    }
    if binarySize != nil {
      // The length stands before the bytes.
      guard binary.count >= 4 else {
        throw ServiceRefusal(400, "the input '\(name)' has no picture")
      }
      let length = binary.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      guard length == binary.count - 4 else {
        throw ServiceRefusal(
          400, "the input '\(name)' says \(length) bytes and has \(binary.count - 4)")
      }
      return Array(binary.dropFirst(4))
    }
    if !binary.isEmpty { return Array(binary) }
    guard texts.count == 1, let bytes = bytes(ofBase64: texts[0].utf8), !bytes.isEmpty else {
      throw ServiceRefusal(
        400, "the input '\(name)' has no picture; send it as binary data, or in base 64")
    }
    return bytes
  }
}
