// Fovea - the activations of Darknet's layers.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// A function that a layer of Darknet applies to every number.
package enum DarknetActivation: String, CaseIterable, Sendable {
  /// x.
  case linear
  /// 0.1 x below 0.
  case leaky
  /// 0.01 x below 0.
  case relie
  /// max(x, 0).
  case relu
  /// x within 0...6.
  case relu6
  /// 1 / (1 + exp(-x)).
  case logistic
  /// 2 / (1 + exp(-x)) - 1.
  case loggy
  /// x / (1 + exp(-x)).
  case swish
  /// x tanh(log(1 + exp(x))).
  case mish
  /// x clamped (x / 2 + 1 within 0...1).
  case hardMish = "hard_mish"
  /// exp(x) - 1 below 0.
  case elu
  /// 1.0507 x; 1.0507 * 1.6732 (exp(x) - 1) below 0.
  case selu
  /// Gauss's error function, approximated by tanh.
  case gelu
  /// tanh(x).
  case tanh
  /// x within -1...1.
  case hardtan
  /// max(x, 0) + 0.1 x.
  case ramp

  /// All names in alphabetical order.
  package static var names: [String] { allCases.map(\.rawValue).sorted() }

  /// Writes the function of planes.
  func apply(
    to x: DarknetValue, _ program: inout DarknetProgram
  ) throws(ModelFormatError) -> DarknetValue {
    var result = x
    result.name = x.name + "_" + rawValue
    let step = result.name + "_step"
    var arguments = ["x": x.argument]
    switch self {
    case .linear: return x
    case .leaky, .relie:
      arguments["alpha"] = .float(self == .leaky ? 0.1 : 0.01)
      return try program.planes("leaky_relu", arguments, to: result)
    case .relu, .relu6, .tanh: return try program.planes(rawValue, arguments, to: result)
    case .logistic: return try program.planes("sigmoid", arguments, to: result)
    case .swish: return try program.planes("silu", arguments, to: result)
    case .elu:
      arguments["alpha"] = .float(1)
      return try program.planes("elu", arguments, to: result)
    case .gelu:
      arguments["mode"] = .string("TANH_APPROXIMATION")
      return try program.planes("gelu", arguments, to: result)
    case .hardtan:
      arguments["alpha"] = .float(-1)
      arguments["beta"] = .float(1)
      return try program.planes("clip", arguments, to: result)
    case .loggy:
      // The same curve: 2 sigmoid(x) - 1 = tanh(x / 2).
      arguments["alpha"] = .float(1)
      arguments["beta"] = .float(0.5)
      return try program.planes("scaled_tanh", arguments, to: result)
    case .selu:
      arguments["alpha"] = .float(1.6732)
      let bent = try program.write("elu", arguments, to: step, x.shape)
      return try program.planes("mul", ["x": bent, "y": .float(1.0507)], to: result)
    case .mish:
      let soft = try program.write("softplus", arguments, to: step, x.shape)
      let gate = try program.write("tanh", ["x": soft], to: step + "_2", x.shape)
      return try program.planes("mul", ["x": x.argument, "y": gate], to: result)
    case .hardMish:
      arguments["alpha"] = .float(0.5)
      arguments["beta"] = .float(1)
      let gate = try program.write("sigmoid_hard", arguments, to: step, x.shape)
      return try program.planes("mul", ["x": x.argument, "y": gate], to: result)
    case .ramp:
      let positive = try program.write("relu", arguments, to: step, x.shape)
      let slope = try program.write(
        "mul", ["x": x.argument, "y": .float(0.1)], to: step + "_2", x.shape)
      return try program.planes("add", ["x": positive, "y": slope], to: result)
    }
  }
}
