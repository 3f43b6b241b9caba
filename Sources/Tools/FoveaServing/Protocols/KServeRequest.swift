// Fovea - what clients of KServe V2 send.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaJSON

/// A request of KServe V2: tensors in JSON, or behind it (Triton's extension):
///
///     {"inputs":[{"name":"images","shape":[1,3,320,320],"datatype":"FP32",
///       "parameters":{"binary_data_size":1228800}}], ...}  then 1228800 bytes
///
/// The header `Inference-Header-Content-Length` says how many bytes are JSON.
struct KServeRequest {
  /// A tensor that is sent.
  struct Input {
    var name = ""
    var shape: [Int] = []
    var datatype = ""
    /// Bytes of the tensor behind the JSON.
    var binarySize: Int?
    var binary: ArraySlice<UInt8> = []
    /// Numbers in JSON, in the order of memory.
    var numbers: [Double] = []
    /// Texts in JSON.
    var texts: [String] = []
  }

  /// A tensor that is asked for.
  struct Output: Hashable {
    var name = ""
    var isBinary: Bool?
  }

  var identifier: String?
  var inputs: [Input] = []
  var outputs: [Output] = []
  /// Whether tensors are answered as bytes where their outputs do not say.
  var isBinary = false
  /// The least confidence and the greatest overlap of objects in a picture.
  var (confidence, iou): (Double?, Double?)

  private static let (mostTensors, mostDimensions) = (64, 16)

  /// Reads a body.
  ///
  /// - Parameters:
  ///   - jsonLength: The bytes of JSON; `nil` for all. 0 says that the body is the one input.
  ///   - isPicture: Whether the body is a picture.
  /// - Throws: A refusal of 400 that tells the place.
  init(_ body: [UInt8], jsonLength: Int?, isPicture: Bool) throws(ServiceRefusal) {
    let length = isPicture ? 0 : jsonLength ?? body.count
    guard (0...body.count).contains(length) else {
      throw ServiceRefusal(
        400, "the JSON is said to have \(length) bytes, and the body has \(body.count)")
    }
    guard length > 0 else {
      var input = Input()
      (input.datatype, input.shape, input.binary) = ("BYTES", [1], body[...])
      inputs = [input]
      // Whoever says how much is JSON reads answers of that form.
      isBinary = jsonLength != nil
      return
    }
    let outcome = body[..<length].withUnsafeBytes { bytes -> Result<KServeRequest, JSONError> in
      Result { () throws(JSONError) in
        var parser = JSONPullParser(bytes)
        var request = KServeRequest()
        try request.read(&parser)
        try parser.finish()
        return request
      }
    }
    switch outcome {
    case .success(let request): self = request
    case .failure(let error):
      throw ServiceRefusal(
        400, "the request is no JSON of KServe V2: \(error.reason), at byte \(error.offset)")
    }
    try assignBinary(body[length...])
  }

  private init() {}

  /// Gives each input its bytes, in order.
  private mutating func assignBinary(_ bytes: ArraySlice<UInt8>) throws(ServiceRefusal) {
    var rest = bytes
    for place in inputs.indices {
      guard let size = inputs[place].binarySize else { continue }
      guard size <= rest.count else {
        throw ServiceRefusal(
          400, "the input '\(inputs[place].name)' has \(size) bytes, and \(rest.count) follow")
      }
      inputs[place].binary = rest.prefix(size)
      rest = rest.dropFirst(size)
    }
    guard rest.isEmpty else {
      throw ServiceRefusal(400, "\(rest.count) bytes follow that belong to no input")
    }
  }

  // MARK: JSON

  private mutating func read(_ parser: inout JSONPullParser) throws(JSONError) {
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "id": identifier = try parser.readText()
      case "parameters": try readParameters(&parser)
      case "inputs":
        try parser.readArray { parser throws(JSONError) in
          guard inputs.count < Self.mostTensors else { throw parser.error("too many inputs") }
          inputs.append(try Self.input(&parser))
        }
      case "outputs":
        try parser.readArray { parser throws(JSONError) in
          guard outputs.count < Self.mostTensors else { throw parser.error("too many outputs") }
          outputs.append(try Self.output(&parser))
        }
      default: try parser.skipValue()
      }
    }
  }

  private mutating func readParameters(_ parser: inout JSONPullParser) throws(JSONError) {
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "binary_data_output": isBinary = try parser.readBoolean()
      case "confidence": confidence = try parser.readNumber().double
      case "iou": iou = try parser.readNumber().double
      default: try parser.skipValue()
      }
    }
  }

  private static func input(_ parser: inout JSONPullParser) throws(JSONError) -> Input {
    var input = Input()
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "name": input.name = try parser.readText()
      case "datatype": input.datatype = try parser.readText()
      case "shape":
        try parser.readArray { parser throws(JSONError) in
          let size = try parser.readInteger()
          guard (0...Int(Int32.max)).contains(size), input.shape.count < mostDimensions else {
            throw parser.error("expected at most \(mostDimensions) sizes from 0 on")
          }
          input.shape.append(size)
        }
      case "data": try readData(&parser, into: &input)
      case "parameters":
        try parser.readObject { parser, key throws(JSONError) in
          switch key {
          case "binary_data_size":
            let size = try parser.readInteger()
            guard size >= 0 else { throw parser.error("expected a number of bytes") }
            input.binarySize = size
          default: try parser.skipValue()
          }
        }
      default: try parser.skipValue()
      }
    }
    return input
  }

  /// Numbers or texts, in one list or in lists of lists.
  private static func readData(
    _ parser: inout JSONPullParser, into input: inout Input
  ) throws(JSONError) {
    try parser.readArray { parser throws(JSONError) in
      if parser.arrayFollows() {
        try readData(&parser, into: &input)
      } else if parser.textFollows() {
        input.texts.append(try parser.readText())
      } else if parser.numberFollows() {
        input.numbers.append(try parser.readNumber().double)
      } else {
        input.numbers.append(try parser.readBoolean() ? 1 : 0)
      }
    }
  }

  private static func output(_ parser: inout JSONPullParser) throws(JSONError) -> Output {
    var output = Output()
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "name": output.name = try parser.readText()
      case "parameters":
        try parser.readObject { parser, key throws(JSONError) in
          switch key {
          case "binary_data": output.isBinary = try parser.readBoolean()
          case "classification":
            throw parser.error("'classification' is not answered; ask for the tensor")
          default: try parser.skipValue()
          }
        }
      default: try parser.skipValue()
      }
    }
    return output
  }
}
