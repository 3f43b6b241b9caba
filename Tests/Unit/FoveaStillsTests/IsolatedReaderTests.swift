// Fovea - tests of readers in processes of their own.
// SPDX-License-Identifier: Apache-2.0
import CReaderProbe
import FoveaReader
import FoveaStills
import Foundation
import FoveaTestSupport
import Testing

@Suite(.serialized) struct IsolatedReaderTests {
  private let reader = IsolatedReader(reader_probe())

  private func ask(
    _ operation: Int, _ parameters: [UInt8] = [], picture: [UInt8] = [], seconds: Double = 10
  ) throws(IsolatedReader.Failure) -> [UInt8] {
    try reader.ask(UInt32(operation), parameters: parameters, picture: picture, seconds: seconds)
  }

  private func numbers(_ bytes: [UInt8]) -> [Int] {
    var answer = AnswerBytes(bytes)
    return (0..<bytes.count / 4).compactMap { _ in answer.number().map(Int.init) }
  }

  private func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  /// Whether a child has ended with all its threads; nobody has asked for its status yet.
  private func hasEnded(_ process: Int) -> Bool {
    let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
    return threads?.count == 1 && status(of: "\(process)")?.state == "Z"
  }

  /// The name, the state and the parent of a process; `nil` where there is none.
  private func status(
    of process: String
  ) -> (name: Substring, state: Substring, parent: Substring)? {
    // The name in parentheses may hold spaces; the state and the parent follow it.
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")")
    else { return nil }
    let rest = text[end...].split(separator: " ")
    return rest.count > 2 ? (text[start...end], rest[1], rest[2]) : nil
  }

  /// The processes that this one started and that are still listed, zombies too.
  private func children() throws -> Int {
    let own = ProcessInfo.processInfo.processIdentifier
    return try FileManager.default.contentsOfDirectory(atPath: "/proc").count { name in
      guard Int(name) != nil, let status = status(of: name) else { return false }
      return status.parent == "\(own)" && status.name.hasSuffix("exe)")
    }
  }

  @Test func answersQuestions() throws {
    #expect(try numbers(ask(probe_operation_sum, [1, 2, 3])) == [6])
    for count in [0, 1, 4096, 3_000_001] {
      let picture = [UInt8](repeating: 3, count: count)
      #expect(try numbers(ask(probe_operation_sum, [1], picture: picture)) == [3 * count + 1])
    }
    #expect(throws: IsolatedReader.Failure.refused("no")) { try ask(probe_operation_refuse) }
    #expect(reader.idleProcesses.count == 1)
  }

  @Test func outlivesWhatEndsTheProcess() throws {
    _ = try ask(probe_operation_sum)
    let first = reader.idleProcesses
    // An abort leaves the process alive; what kills it brings a new one.
    #expect(throws: IsolatedReader.Failure.ended) { try ask(probe_operation_abort) }
    #expect(try numbers(ask(probe_operation_sum, [7])) == [7])
    #expect(reader.idleProcesses == first)
    for operation in [probe_operation_fault, probe_operation_exit] {
      #expect(throws: IsolatedReader.Failure.ended) { try ask(operation) }
      #expect(reader.idleProcesses.isEmpty)
      #expect(try numbers(ask(probe_operation_sum, [7])) == [7])
    }
    #expect(reader.idleProcesses != first)
  }

  @Test func replacesProcessesThatDiedIdle() throws {
    _ = try ask(probe_operation_sum)
    let process = try #require(reader.idleProcesses.first)
    kill(pid_t(process), SIGKILL)
    #expect(waitUntil { hasEnded(process) })
    #expect(try numbers(ask(probe_operation_sum, [9])) == [9])
    #expect(reader.idleProcesses != [process])
    for _ in 0..<101 {
      #expect(throws: IsolatedReader.Failure.ended) { try ask(probe_operation_abort) }
    }
    #expect(try numbers(ask(probe_operation_sum, [9])) == [9])
  }

  /// What hangs never ends by itself.
  @Test(.timeLimit(.minutes(5))) func endsWhatIsLate() throws {
    #expect(throws: IsolatedReader.Failure.late) { try ask(probe_operation_hang, seconds: 0.05) }
    #expect(reader.idleProcesses.isEmpty)
  }

  @Test func refusesWhatIsNoAnswer() throws {
    for byte: UInt8 in [0, 255] {
      #expect(throws: IsolatedReader.Failure.malformed) {
        try ask(probe_operation_babble, [byte, 0, 0, 0])
      }
    }
    // 16 MiB is an answer, one byte more is not.
    let count = try ask(probe_operation_fill, [0, 0, 0, 1]).count
    #expect(count == 16 << 20)
    #expect(throws: IsolatedReader.Failure.self) { try ask(probe_operation_fill, [1, 0, 0, 1]) }
    #expect(throws: IsolatedReader.Failure.malformed) {
      try ask(probe_operation_sum, [UInt8](repeating: 0, count: 65537))
    }
  }

  @Test func childHasFewRights() throws {
    // A descriptor that every child would inherit, were they not closed.
    let open = open("/dev/null", O_RDONLY)
    defer { close(open) }
    // Input, output, errors, the connection and the caller; no file; none of the variables.
    #expect(try numbers(ask(probe_operation_rights)) == [5, 0, 0])
  }

  @Test func nothingIsLeftBehind() async {
    // In a process of its own: the tests beside this one open and close files, too.
    await #expect(processExitsWith: .success) {
      try IsolatedReaderTests().expectNothingIsLeftBehind()
    }
  }

  private func expectNothingIsLeftBehind() throws {
    _ = try ask(probe_operation_sum)
    reader.endIdleProcesses()
    let before = (try descriptors(), try children())
    for operation in [probe_operation_sum, probe_operation_fault, probe_operation_exit] {
      for _ in 0..<2 { _ = try? ask(operation) }
    }
    _ = try? ask(probe_operation_hang, seconds: 0.02)
    _ = try ask(probe_operation_sum)
    #expect(reader.idleProcesses.count == 1)
    let process = try #require(reader.idleProcesses.first)
    reader.endIdleProcesses()
    #expect(!FileManager.default.fileExists(atPath: "/proc/\(process)"))
    #expect(try descriptors() == before.0)
    #expect(try children() == before.1)
  }

  @Test func threadsAskAtOnce() async throws {
    let reader = self.reader
    let sums = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for number in 0..<64 {
        group.addTask {
          let operation = number % 30 == 0 ? probe_operation_fault : probe_operation_sum
          do throws(IsolatedReader.Failure) {
            return try reader.ask(UInt32(operation), picture: [UInt8](repeating: 1, count: 9999))
          } catch {
            #expect(error == .ended && number % 30 == 0)
            return [0x0F, 0x27, 0, 0]
          }
        }
      }
      return try await group.reduce(into: []) { $0.append(numbers($1)) }
    }
    #expect(sums == [[Int]](repeating: [9999], count: 64))
    #expect(reader.idleProcesses.count <= 2)
  }
}
