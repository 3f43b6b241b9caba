// Fovea - what a model holds in memory.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
public import FoveaRuntime

extension Model {
  /// Bytes that a model and each of its sessions hold. Exact: the core allocates nothing else.
  public struct Memory: Sendable, Hashable, Codable {
    /// Packed weights, tables, biases and constants; once per model.
    public var weightBytes: Int
    /// Values between layers, at their common peak; once per session.
    public var arenaBytes: Int
    /// The largest workspace of any operation, inside the arena.
    public var workspaceBytes: Int
    /// All that a session allocates.
    public var sessionBytes: Int
  }

  /// Bytes that the model and each of its sessions hold.
  public var memory: Memory {
    let memory = fov_model_memory(corePointer)
    return Memory(
      weightBytes: Int(clamping: memory.weight_bytes),
      arenaBytes: Int(clamping: memory.arena_bytes),
      workspaceBytes: Int(clamping: memory.workspace_bytes),
      sessionBytes: Int(clamping: memory.session_bytes))
  }
}
