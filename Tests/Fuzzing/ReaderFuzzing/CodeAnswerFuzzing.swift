// Fovea - fuzzing: answers of the process that reads codes.
// SPDX-License-Identifier: Apache-2.0
import FoveaStills

enum CodeAnswerFuzzing {
  /// Reads the bytes as an answer, and what its symbols say.
  static func read(_ bytes: [UInt8]) {
    guard let symbols = CodeSymbol.symbols(of: bytes, isInverted: false) else { return }
    for symbol in symbols {
      let payload = CodePayload(symbol)
      precondition(symbol.corners.corners.allSatisfy { abs($0.x) < 2e7 && abs($0.y) < 2e7 })
      precondition(payload.bytes.count <= bytes.count + 16)
    }
  }

  /// Answers with no symbol, and with one or two of each kind of check.
  static let seeds: [[UInt8]] = {
    func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
    func counted(_ text: String) -> [UInt8] { bytes(UInt32(text.utf8.count)) + Array(text.utf8) }
    func symbol(_ format: Int, _ text: String, _ identifier: String) -> [UInt8] {
      bytes(1 << UInt32(format)) + bytes(0) + bytes(2) + (0..<8).flatMap { bytes(UInt32($0 * 40)) }
        + counted(text) + counted(text) + counted(identifier)
    }
    let all = [
      symbol(15, "01234565", "]X0"), symbol(9, "4012345123456 12", "]E3"),
      symbol(5, "04412345678909", "]e0"), symbol(2, "ABC-12A", "]A0"),
      symbol(10, "10702283776685", "]I0"), symbol(13, "(10)12A", "]Q3"),
    ]
    return [bytes(0)] + all.map { bytes(1) + $0 } + [bytes(2) + all[0] + all[1]]
  }()
}
