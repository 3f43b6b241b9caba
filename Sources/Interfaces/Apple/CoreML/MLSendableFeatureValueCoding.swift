// Fovea - values of features that may be sent, compared and written.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple

extension MLSendableFeatureValue: Hashable {
  public static func == (left: MLSendableFeatureValue, right: MLSendableFeatureValue) -> Bool {
    left.value.isEqual(to: right.value)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(value.hash) }
}

extension MLSendableFeatureValue: Codable {
  /// What is written: one of the values, or numbers of an array row by row.
  private struct Form: Codable {
    var type: Int
    var integer: Int64?
    var double: Double?
    var string: String?
    var numbers: [Double]?
    var shape: [Int]?
    var dataType: Int?
  }

  /// Writes a number, a string or an array.
  ///
  /// - Throws: `EncodingError` for other values.
  public func encode(to encoder: any Encoder) throws {
    var form = Form(type: value.type.rawValue)
    switch value.type {
    case .int64: form.integer = value.int64Value
    case .double: form.double = value.doubleValue
    case .string: form.string = value.stringValue
    case .multiArray:
      guard let array = value.multiArrayValue else { break }
      form.shape = array.shape.map(\.intValue)
      form.dataType = array.dataType.rawValue
      form.numbers = (0..<array.count).map { array[$0].doubleValue }
    default:
      throw EncodingError.invalidValue(
        value,
        .init(
          codingPath: encoder.codingPath,
          debugDescription: "numbers, strings and arrays are written; \(value) is none"))
    }
    try form.encode(to: encoder)
  }

  public init(from decoder: any Decoder) throws {
    let form = try Form(from: decoder)
    if let integer = form.integer {
      self.init(value: MLFeatureValue(int64: integer))
    } else if let double = form.double {
      self.init(value: MLFeatureValue(double: double))
    } else if let string = form.string {
      self.init(value: MLFeatureValue(string: string))
    } else if let numbers = form.numbers, let shape = form.shape,
      let type = form.dataType.flatMap(MLMultiArrayDataType.init(rawValue:)),
      shape.allSatisfy({ $0 >= 0 }), shape.reduce(1, *) == numbers.count
    {
      let array = try MLMultiArray(sizes: shape, type: type)
      for (index, number) in numbers.enumerated() { array[index] = NSNumber(value: number) }
      self.init(value: MLFeatureValue(multiArray: array))
    } else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "no value of a feature"))
    }
  }
}
