// Fovea - what a model holds in memory.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
public import FoveaRuntime

extension Model {
  /// The bytes of a model and of each of its sessions. They are exact: the core allocates nothing
  /// else.
  public struct Memory: Sendable, Hashable, Codable {
    /// Packed weights, tables, biases and constants, once for the model.
    public var weightBytes: Int
    /// Values between layers at their peak, once for each session.
    public var arenaBytes: Int
    /// The largest workspace of an operation, inside the arena.
    public var workspaceBytes: Int
    /// Everything that a session allocates.
    public var sessionBytes: Int
  }

  /// The bytes of the model and of each of its sessions.
  public var memory: Memory {
    let memory = fov_model_memory(corePointer)
    return Memory(
      weightBytes: Int(clamping: memory.weight_bytes),
      arenaBytes: Int(clamping: memory.arena_bytes),
      workspaceBytes: Int(clamping: memory.workspace_bytes),
      sessionBytes: Int(clamping: memory.session_bytes))
  }
}
