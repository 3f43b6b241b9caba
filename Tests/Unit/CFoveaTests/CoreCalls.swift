// Fovea - calls of the C interface that throw.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport

/// A call of the C interface that did not work.
struct CoreFailure: Error {
  var status: fov_status
  var message: String
}

/// Makes a call, and throws the `CoreFailure` that its status and its diagnostic tell of.
func check(_ call: (UnsafeMutablePointer<fov_diagnostic>) throws -> fov_status) throws {
  var diagnostic = fov_diagnostic()
  let status = try call(&diagnostic)
  guard status != fov_status.ok else { return }
  let message = withUnsafeBytes(of: diagnostic.message) {
    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
  }
  throw CoreFailure(status: status, message: message)
}

/// The value that a call adds to a graph.
func addedValue(
  _ call: (UnsafeMutablePointer<fov_value>, UnsafeMutablePointer<fov_diagnostic>) -> fov_status
) throws -> fov_value {
  var value = fov_value()
  try check { call(&value, $0) }
  return value
}

/// Adds a 1x1 convolution with random weights of at most `limit`.
func addedPointConvolution(
  _ graph: OpaquePointer, _ input: fov_value, inputs: Int, outputs: Int, limit: Float,
  random: inout SplitMix
) throws -> fov_value {
  var convolution = fov_convolution()
  convolution.output_channels = outputs
  convolution.groups = 1
  convolution.kernel = (1, 1)
  convolution.stride = (1, 1)
  convolution.dilation = (1, 1)
  let weights = (0..<inputs * outputs).map { _ in Float.random(in: -limit...limit, using: &random) }
  return try addedValue { out, diagnostic in
    StoredWeights.float32(weights).withDescription {
      fov_graph_add_convolution(graph, &convolution, $0, nil, input, out, diagnostic)
    }
  }
}
