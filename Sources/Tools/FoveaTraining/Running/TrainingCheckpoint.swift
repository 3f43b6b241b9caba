// Fovea - the state of a run on a disk.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

/// The state of a run: what it needs to go on as if it had never stopped.
struct TrainingCheckpoint {
  /// What stands in front of the numbers.
  struct State: Sendable, Equatable {
    var steps = 0
    var seconds = 0.0
    var evaluations = 0
    /// The step and the evaluation whose average was kept; below 0 before the first one.
    var bestStep = -1
    var bestEvaluation = 0
    /// Its average precision, and that at an overlap of 0.50.
    var bestPrecision = 0.0
    var bestScore = 0.0
    /// The confidence of its greatest F1, with precision and recall.
    var confidence = 0.25
    var precision = 0.0
    var recall = 0.0

    /// The state as words of 64 bits.
    fileprivate var words: [UInt64] {
      let whole = [steps, evaluations, bestStep, bestEvaluation].map {
        UInt64(bitPattern: Int64($0))
      }
      return whole
        + [seconds, bestPrecision, bestScore, confidence, precision, recall].map(\.bitPattern)
    }

    fileprivate init(words: [UInt64]) {
      let whole = words.map { Int(Int64(bitPattern: $0)) }
      (steps, evaluations, bestStep, bestEvaluation) = (whole[0], whole[1], whole[2], whole[3])
      let numbers = words.map { Double(bitPattern: $0) }
      (seconds, bestPrecision, bestScore) = (numbers[4], numbers[5], numbers[6])
      (confidence, precision, recall) = (numbers[7], numbers[8], numbers[9])
    }

    init() {}
  }

  var state: State
  /// Weights, both moments, the moving average, and the best average so far.
  var arrays: [[Float]]

  private static let mark = Array("FOVT0001".utf8)

  // MARK: Writing

  /// Replaces the file; it is complete or as it was.
  func write(to path: String) throws(TrainingError) {
    var bytes = Self.mark
    let numbers = state.words + [UInt64(arrays.count), UInt64(arrays.first?.count ?? 0)]
    for number in numbers { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    for array in arrays { array.withUnsafeBytes { bytes += $0 } }
    do throws(FileError) {
      let file = try FileReplacement(path)
      try file.write(bytes)
      try file.commit()
    } catch {
      throw TrainingError(.file, "\(path): \(error)")
    }
  }

  // MARK: Reading

  /// Reads a file.
  ///
  /// - Parameter parameterCount: The numbers that each array is to have.
  init(contentsOf path: String, parameterCount: Int) throws(TrainingError) {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileBytes.read(path, maximumCount: 1 << 33)
    } catch {
      throw TrainingError(.file, "\(path): \(error)")
    }
    let words = State().words.count + 2
    let header = Self.mark.count + 8 * words
    guard bytes.count >= header, bytes.starts(with: Self.mark) else {
      throw TrainingError(.file, "\(path): is no state of a training run")
    }
    let numbers = bytes.withUnsafeBytes { bytes in
      (0..<words).map {
        UInt64(
          littleEndian: bytes.loadUnaligned(
            fromByteOffset: Self.mark.count + 8 * $0, as: UInt64.self))
      }
    }
    let count = 5
    guard numbers[words - 2] == count, numbers[words - 1] == parameterCount,
      bytes.count == header + 4 * count * parameterCount
    else {
      throw TrainingError(
        .file, "\(path): belongs to another network; resume with the options of the run")
    }
    state = State(words: numbers)
    arrays = bytes.withUnsafeBytes { bytes in
      (0..<count).map { array in
        let first = header + 4 * array * parameterCount
        return (0..<parameterCount).map {
          bytes.loadUnaligned(fromByteOffset: first + 4 * $0, as: Float.self)
        }
      }
    }
  }

  init(state: State, arrays: [[Float]]) {
    self.state = state
    self.arrays = arrays
  }
}
