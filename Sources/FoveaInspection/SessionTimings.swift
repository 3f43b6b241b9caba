// Fovea - where the time of a run goes, operation by operation.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
public import FoveaRuntime

extension Session {
  /// Where the time of one operation went, in nanoseconds.
  public struct NodeTiming: Sendable, Hashable, Codable {
    /// All of it.
    public var total: UInt64
    /// Inside matrix products, summed over threads.
    public var multiplication: UInt64
    /// Gathering windows into matrices, summed over threads.
    public var gathering: UInt64
    /// Looking up packed weights, summed over threads.
    public var lookup: UInt64
  }

  /// The timings of the last run, one for each of `Model.nodes`; all zero unless `measuresTime`.
  public func nodeTimings() -> [NodeTiming] {
    (0..<fov_model_node_count(model.corePointer)).map { node in
      var timing = fov_timing()
      guard fov_session_node_timing(handle, node, &timing) == .ok else {
        return NodeTiming(total: 0, multiplication: 0, gathering: 0, lookup: 0)
      }
      return NodeTiming(
        total: timing.total, multiplication: timing.multiplication, gathering: timing.gathering,
        lookup: timing.lookup)
    }
  }
}
