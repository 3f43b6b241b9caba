// Fovea - which task a network has.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// Which task a network has, as its file states it or as the shapes and last operations of its outputs
/// show. Nothing is guessed: what fits several tasks needs the word of whoever asks.
package struct TaskRecognition {
  /// What is known of a network.
  package struct Interface {
    package var outputs: [NetworkOutput]
    /// The size of the picture that it reads.
    package var rows: Int
    package var columns: Int
    /// The number of names of classes; `nil` for none.
    package var classCount: Int?

    package init(outputs: [NetworkOutput], rows: Int, columns: Int, classCount: Int?) {
      (self.outputs, self.rows, self.columns) = (outputs, rows, columns)
      self.classCount = classCount
    }
  }

  /// The task that the file states; `nil` where it states none.
  package let stated: StatedTask?
  /// All ways to read an output that its shape allows.
  package let readings: [TaskReading]
  private let outputNames: [String]

  /// Looks at a network.
  ///
  /// - Complexity: O(operations).
  package init(_ file: ModelDescription, _ interface: Interface) {
    stated = StatedTask(file.metadata.userDefined)
    outputNames = interface.outputs.map(\.name)
    let reader = OutputReader(file, interface, stated: stated?.task)
    let statesScores = file.outputs.contains { $0.name == file.predictedProbabilitiesName }
    readings = (statesScores ? [] : interface.outputs.flatMap(reader.readings))
      .map { [stated] reading in
        guard let stated, stated.task == reading.task else { return reading }
        var reading = reading
        (reading.reason, reading.isPlain) = (stated.reason, true)
        return reading
      }
  }

  /// What the network plainly does beside objects and classes; `nil` where that is not plain.
  package var plain: TaskReading? {
    if let stated {
      let found = readings.filter { $0.task == stated.task }
      return found.count == 1 ? found[0] : nil
    }
    // Prototypes of masks, coarse maps of boxes: outputs that mean something together.
    guard outputNames.count(where: { !Self.isAuxiliary($0) }) == 1 else { return nil }
    let found = readings.filter { $0.isPlain && !Self.isAuxiliary($0.output) }
    return Set(found.map(\.task)).count == 1 ? found.first : nil
  }

  /// Why an output is not read as the result of a task.
  package struct Refusal: Error {
    /// What the network has, and why that is not the result, without what to do about it.
    package var evidence: String
    /// What does what the network does; `nil` where nobody knows.
    package var remedy: String?
    /// Whether it helps to insist on the task.
    package var canInsist: Bool
    /// Whether it helps to name an output.
    package var needsName = false
  }

  /// How the result of a task is read.
  ///
  /// - Parameters:
  ///   - output: The output that whoever asks names; `nil` for the only one that fits.
  ///   - insists: Whether whoever asks knows that this is the task, whatever the file says.
  package func reading(
    of task: NetworkTask, output: String? = nil, insists: Bool = false
  ) throws(Refusal) -> TaskReading {
    let named = readings.filter { $0.task == task && (output == nil || $0.output == output) }
    if let stated, stated.task != task, !insists {
      throw Refusal(
        evidence: "it is a network for \(stated.task.text), because \(stated.reason)",
        remedy: stated.task.remedy, canInsist: !named.isEmpty)
    }
    if let output, !outputNames.contains(output) {
      throw Refusal(
        evidence: "it has no output '\(output)'", remedy: nil, canInsist: false, needsName: true)
    }
    guard !named.isEmpty else {
      throw Refusal(
        evidence: "no output can be \(task.text)" + (plain.map(Self.evidence) ?? ""),
        remedy: plain?.task.remedy, canInsist: false)
    }
    let wanted = insists ? named : named.filter(\.isPlain)
    guard !wanted.isEmpty else {
      throw Refusal(
        evidence: "'\(named[0].output)' may be \(task.text), and nothing says that it is"
          + (plain.map(Self.evidence) ?? ""), remedy: plain?.task.remedy, canInsist: true)
    }
    let main = wanted.filter { !Self.isAuxiliary($0.output) }
    let chosen = main.isEmpty ? wanted : main
    guard chosen.count == 1 else {
      let names = chosen.map { "'\($0.output)'" }.joined(separator: ", ")
      throw Refusal(
        evidence: "several outputs can be \(task.text): \(names)", remedy: nil, canInsist: false,
        needsName: true)
    }
    return chosen[0]
  }

  /// Whether an output only serves training, and says the same less well.
  private static func isAuxiliary(_ name: String) -> Bool { name.lowercased().hasPrefix("aux") }

  private static func evidence(_ reading: TaskReading) -> String {
    "; '\(reading.output)' is \(reading.task.text), because \(reading.reason)"
  }
}
