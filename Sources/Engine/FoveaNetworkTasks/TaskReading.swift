// Fovea - an output read as the result of a task.
// SPDX-License-Identifier: Apache-2.0

/// How the planes of an output lie in memory.
package struct PlaneLayout: Sendable, Hashable {
  package var width: Int
  package var height: Int
  package var channels: Int
  /// Whether the channels of a place lie together.
  package var isChannelsLast: Bool

  package init(width: Int, height: Int, channels: Int, isChannelsLast: Bool) {
    (self.width, self.height, self.channels) = (width, height, channels)
    self.isChannelsLast = isChannelsLast
  }
}

/// An output read as the result of a task.
package struct TaskReading: Sendable, Hashable {
  /// What the numbers of an output are.
  package enum Form: Sendable, Hashable {
    /// The number of a class for each place.
    case map(PlaneLayout)
    /// A score of each class for each place.
    case scores(PlaneLayout)
    /// One number for each place; `range` where the last operations keep it in one.
    case plane(PlaneLayout, range: ClosedRange<Double>?)
    /// Channels of a picture; `range` where the last operations or the file say it.
    case picture(PlaneLayout, range: ClosedRange<Double>?, isBlueFirst: Bool)
    /// A row of numbers.
    case row(count: Int)
  }

  package var task: NetworkTask
  /// The name of the output.
  package var output: String
  package var form: Form
  /// Why, behind "because".
  package var reason: String
  /// Whether the file, the shape or the graph says so plainly: nobody has to insist on it.
  package var isPlain: Bool
}
