// Fovea - what all layers ask of their inputs and numbers.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension LayerLowering {

  /// An error about numbers that do not fit each other.
  func mismatch(_ message: String) -> FoveaError {
    FoveaError(.shapeMismatch, "\(message); \(FoveaError.damaged)")
  }

  /// The input of a layer that has one.
  func onlyInput() throws(FoveaError) -> GraphValue {
    guard inputs.count == 1 else {
      throw FoveaError(
        .unsupported,
        "it has \(inputs.count) inputs; layers of this type can be run with 1")
    }
    return inputs[0]
  }

  /// The inputs of a layer that has two.
  func bothInputs() throws(FoveaError) -> (GraphValue, GraphValue) {
    guard inputs.count == 2 else {
      throw FoveaError(
        .unsupported,
        "it has \(inputs.count) inputs; layers of this type can be run with 2")
    }
    return (inputs[0], inputs[1])
  }

  /// The input of a layer that has one, of at least the given rank.
  func onlyInput(minimumRank: Int) throws(FoveaError) -> GraphValue {
    let input = try onlyInput()
    guard input.rank >= minimumRank else {
      throw mismatch(
        "its input has shape \(input.shape); at least \(minimumRank) dimensions were expected")
    }
    return input
  }

  /// The input of a layer that works on planes, [..., channels, rows, columns].
  func planes() throws(FoveaError) -> GraphValue { try onlyInput(minimumRank: 3) }

  /// A dimension counted from the front; negative ones count from the end of `rank` dimensions.
  func dimension(_ axis: Int, ofRank rank: Int) throws(FoveaError) -> Int {
    guard axis >= -rank, axis < rank else {
      throw mismatch("axis \(axis) does not exist among \(rank) dimensions")
    }
    return axis < 0 ? axis + rank : axis
  }

  /// Dimensions counted from the front, each once.
  func dimensions(_ axes: [Int], ofRank rank: Int) throws(FoveaError) -> [Int] {
    var found: [Int] = []
    for axis in axes {
      let dimension = try dimension(axis, ofRank: rank)
      guard !found.contains(dimension) else { throw mismatch("axis \(axis) is named twice") }
      found.append(dimension)
    }
    return found
  }

  /// The product of sizes.
  func product(_ sizes: some Sequence<Int>) throws(FoveaError) -> Int {
    var result = 1
    for size in sizes {
      let (product, overflow) = result.multipliedReportingOverflow(by: size)
      guard !overflow else {
        throw FoveaError(.overflow, "a product of sizes is too large; \(FoveaError.damaged)")
      }
      result = product
    }
    return result
  }

  /// Stored weights as floats.
  func decoded(_ weights: WeightData, count: Int) throws(FoveaError) -> [Float] {
    do throws(ModelFormatError) {
      return try weights.decoded(count: count)
    } catch {
      throw FoveaError(error)
    }
  }
}
