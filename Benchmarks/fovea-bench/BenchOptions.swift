// Fovea - options that several commands of fovea-bench take.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

extension CommandDescription.Option {
  static let backends = Self(
    name: "--backends", value: "A,B",
    help:
      "backends side by side (default: that of a .fovea file, else \(BackendName.comparedNames))"
  )
  static let threads = Self(name: "--threads", value: "N", help: "threads (default 1)")
  static let image = Self(
    name: "--image", value: "FILE", help: "an image for the network instead of noise")
}

extension ArgumentList {
  /// The number of threads to measure with.
  func threadCount() throws(UsageError) -> Int { try integer("--threads", in: 1...1024) ?? 1 }

  /// Whole numbers of a list with commas, or `nil` when the option is not given.
  func integers(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> [Int]? {
    guard let text = value(name) else { return nil }
    var numbers: [Int] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = Int(part), range.contains(number) else {
        throw UsageError(
          "\(name) is '\(text)'; expected whole numbers in \(range.lowerBound)..."
            + "\(range.upperBound), with commas between")
      }
      numbers.append(number)
    }
    return numbers
  }
}

/// "1 thread", "2 threads".
func threadText(_ count: Int) -> String { "\(count) thread\(count == 1 ? "" : "s")" }
