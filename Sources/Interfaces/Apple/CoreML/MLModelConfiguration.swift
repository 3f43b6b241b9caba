// Fovea - choices for loading and running models.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple

/// Where a model may run. All run on the processor here.
public enum MLComputeUnits: Int, Sendable {
  case cpuOnly, cpuAndGPU, all, cpuAndNeuralEngine
}

/// Choices for loading a model.
public final class MLModelConfiguration: NSObject, NSCopying {
  public var computeUnits = MLComputeUnits.all
  public var modelDisplayName: String?
  public var allowLowPrecisionAccumulationOnGPU = false
  /// The function of a program that has several; `nil` for the one that the file names.
  public var functionName: String?

  public override init() { super.init() }

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = MLModelConfiguration()
    copy.computeUnits = computeUnits
    copy.modelDisplayName = modelDisplayName
    copy.allowLowPrecisionAccumulationOnGPU = allowLowPrecisionAccumulationOnGPU
    copy.functionName = functionName
    return copy
  }
}

/// Choices for one prediction.
public final class MLPredictionOptions: NSObject {
  public var usesCPUOnly = false
  /// Arrays that outputs are written into, by name.
  public var outputBackings: [String: Any] = [:]

  public override init() { super.init() }
}
