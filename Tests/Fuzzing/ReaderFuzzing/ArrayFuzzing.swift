// Fovea - fuzzing: arrays of NumPy.
// SPDX-License-Identifier: Apache-2.0
import FoveaRuntime

enum ArrayFuzzing {
  /// What is read is written and read again as the same array; or is refused with words.
  static func read(_ bytes: [UInt8]) {
    do throws(FoveaError) {
      let tensor = try Tensor(npy: bytes)
      promise(
        tensor.count == tensor.shape.reduce(1, *), "\(tensor.count) elements of \(tensor.shape)")
      let again = try Tensor(npy: tensor.npyBytes())
      promise(
        again.shape == tensor.shape && again.dataType == tensor.dataType,
        "another array when read again")
      promise(
        zip(again.floats(), tensor.floats()).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) },
        "other elements when read again")
    } catch {
      promise(!error.message.isEmpty, "an error without words")
    }
  }
}
