// Fovea - writing a Core ML neural network layer by layer.
// SPDX-License-Identifier: Apache-2.0

/// The layers of a Core ML neural network in the classic rank-5 form, written one by one.
///
/// Only what `ShapesDetector` needs. Weights are stored as 8-bit codes into a lookup table, the
/// form in which small detectors are shipped.
struct CoreMLNetworkWriter {
  /// The message `NeuralNetwork`.
  private(set) var message = ProtobufMessageWriter()

  /// What lies around the input of a convolution.
  enum Padding {
    /// Zeros on each side: above and left `before`, below and right `after`.
    case valid(before: Int, after: Int)
    /// As many zeros as keep the size.
    case same
  }

  /// A convolution with a square kernel and stride 1.
  struct Convolution {
    var name: String
    var input: String
    var inputChannels: Int
    var outputChannels: Int
    var groups = 1
    var kernel: Int
    var padding: Padding
    /// Row-major [outputChannels, inputChannels / groups, kernel, kernel].
    var weights: [Float]
    var bias: [Float]?
  }

  /// y = convolution of x, written to a blob named after the layer.
  mutating func add(_ convolution: Convolution) {
    writeLayer(convolution.name, inputs: [convolution.input], kind: 100) { layer in
      layer.write(1, integer: convolution.outputChannels)
      layer.write(2, integer: convolution.inputChannels / convolution.groups)
      layer.write(10, integer: convolution.groups)
      layer.write(20, packed: [convolution.kernel, convolution.kernel])
      layer.write(30, packed: [1, 1])
      switch convolution.padding {
      case .same: layer.write(51) { _ in }
      case .valid(let before, let after):
        layer.write(50) { valid in
          valid.write(1) { borders in
            for _ in 0..<2 {
              borders.write(10) { edge in
                edge.write(1, integer: before)
                edge.write(2, integer: after)
              }
            }
          }
        }
      }
      layer.write(70, bool: convolution.bias != nil)
      layer.write(90) { $0.writeLookupTable(convolution.weights) }
      if let bias = convolution.bias { layer.write(91) { $0.writeLookupTable(bias) } }
    }
  }

  /// y = 1 / (1 + exp(-x)).
  mutating func addSigmoid(_ name: String, input: String) {
    writeLayer(name, inputs: [input], kind: 130) { $0.write(40) { _ in } }
  }

  /// The mean of each block of `size` x `size`, which do not overlap.
  mutating func addAveragePooling(_ name: String, input: String, size: Int) {
    writeLayer(name, inputs: [input], kind: 120) { layer in
      layer.write(1, integer: 1)
      layer.write(10, packed: [size, size])
      layer.write(20, packed: [size, size])
      layer.write(30) { _ in }
    }
  }

  /// x0 + x1 + ...
  mutating func addSum(_ name: String, inputs: [String]) {
    writeLayer(name, inputs: inputs, kind: 230) { _ in }
  }

  /// The inputs one after another along the channels.
  mutating func addConcatenation(_ name: String, inputs: [String]) {
    writeLayer(name, inputs: inputs, kind: 320) { _ in }
  }

  /// A constant of `shape` [channels, height, width].
  mutating func addConstant(_ name: String, shape: [Int], values: [Float]) {
    writeLayer(name, inputs: [], kind: 290) { layer in
      layer.write(1, packed: shape)
      layer.write(2) { $0.writeLookupTable(values) }
    }
  }

  /// The axes [sequence, channel, height, width] in another order.
  mutating func addPermutation(_ name: String, input: String, axes: [Int]) {
    writeLayer(name, inputs: [input], kind: 310) { $0.write(1, packed: axes) }
  }

  /// The same values as `shape` [channels, height, width].
  mutating func addReshape(_ name: String, input: String, shape: [Int]) {
    writeLayer(name, inputs: [input], kind: 300) { $0.write(1, packed: shape) }
  }

  /// Pixels of the only image input are multiplied by `scale` first.
  mutating func setPixelScale(_ scale: Float, input: String) {
    message.write(2) { preprocessing in
      preprocessing.write(1, string: input)
      preprocessing.write(10) { $0.write(10, float: scale) }
    }
  }

  private mutating func writeLayer(
    _ name: String, inputs: [String], kind: Int, _ body: (inout ProtobufMessageWriter) -> Void
  ) {
    message.write(1) { layer in
      layer.write(1, string: name)
      for input in inputs { layer.write(2, string: input) }
      layer.write(3, string: name)
      layer.write(kind, message: body)
    }
  }
}

extension ProtobufMessageWriter {
  /// The message `WeightParams`: 8-bit codes and the table of 256 entries they index.
  ///
  /// - Precondition: At most 256 different values.
  mutating func writeLookupTable(_ values: [Float]) {
    var table: [Float] = []
    var codeOfValue: [UInt32: UInt8] = [:]
    let codes = values.map { value -> UInt8 in
      if let code = codeOfValue[value.bitPattern] { return code }
      precondition(table.count < 256, "an 8-bit table has room for 256 values")
      let code = UInt8(table.count)
      codeOfValue[value.bitPattern] = code
      table.append(value)
      return code
    }
    table += Array(repeating: 0, count: 256 - table.count)
    write(30, bytes: codes)
    write(40) { quantization in
      quantization.write(1, integer: 8)
      quantization.write(102) { $0.write(1, packed: table) }
    }
  }
}
