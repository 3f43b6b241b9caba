// Fovea - where the time of a run goes, operation by operation.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
public import FoveaRuntime

extension Session {
  /// The times of one operation, in nanoseconds.
  public struct NodeTiming: Sendable, Hashable, Codable {
    /// The total.
    public var total: UInt64
    /// Matrix products, summed over threads.
    public var multiplication: UInt64
    /// Gathering of windows into matrices, summed over threads.
    public var gathering: UInt64
    /// Look-up of coded weights, summed over threads.
    public var lookup: UInt64
  }

  /// The times of the last run, one for each of `Model.nodes`. They are zero unless `measuresTime`
  /// is set.
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
