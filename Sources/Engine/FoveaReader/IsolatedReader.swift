// Fovea - a reader in a process of its own, which is started again when it dies.
// SPDX-License-Identifier: Apache-2.0
package import CFoveaReader
internal import FoveaLibc

/// A library that may end its process, asked in processes of its own (`fov_reader.h`).
///
/// Any number of threads may ask at once: each gets a process to itself. Processes that are done wait
/// for the next question, `idleLimit` at most; they end with this one. One that died is replaced.
package final class IsolatedReader: Sendable {
  private let kind: KindPointer
  private let idle = Locked<[Child]>([])
  private let idleLimit: Int

  /// A reader that has not been started.
  ///
  /// - Parameters:
  ///   - kind: What the C file of the reader declares; it lives as long as the program.
  ///   - idleLimit: How many processes wait for questions.
  package init(_ kind: UnsafePointer<fov_reader_kind>, idleLimit: Int = 2) {
    self.kind = KindPointer(address: kind)
    self.idleLimit = idleLimit
  }

  /// Why there is no answer.
  package enum Failure: Error, Hashable, Sendable {
    /// The process cannot be started.
    case cannotStart
    /// The reader says no, in these words.
    case refused(String)
    /// The library called `abort`, or its process died.
    case ended
    /// There was no answer in time.
    case late
    /// What came was no answer, or too long, or there was no memory for it.
    case malformed
  }

  /// Asks a question and waits for the answer.
  ///
  /// - Parameters:
  ///   - operation: What is asked, as the reader numbers it.
  ///   - parameters: At most 64 KiB.
  ///   - picture: At most 1 GiB.
  ///   - answerBytes: The longest answer, at most 1 GiB.
  ///   - seconds: How long to wait for the answer.
  /// - Complexity: A process is started at the first question, and when all others are busy or dead.
  package func ask(
    _ operation: UInt32, parameters: [UInt8] = [], picture: [UInt8] = [],
    answerBytes: Int = Int(FOV_READER_ANSWER_BYTES_MAX), seconds: Double = 10
  ) throws(Failure) -> [UInt8] {
    let milliseconds = Int32(min(max(seconds * 1000, 1), Double(Int32.max)))
    while true {
      let waiting = idle.withLock { $0.popLast() }
      let child: Child
      if let waiting { child = waiting } else { child = try Child(kind.address) }
      let (status, answer) = child.ask(
        operation, parameters: parameters, picture: picture, answerBytes: answerBytes,
        milliseconds: milliseconds)
      switch status {
      case .gone where waiting != nil: continue
      case .ok, .failed, .aborted: putBack(child)
      default: break
      }
      switch status {
      case .ok: return answer
      case .failed: throw .refused(String(decoding: answer.prefix(1000), as: UTF8.self))
      case .aborted, .ended, .gone: throw .ended
      case .late: throw .late
      case .cannot_start: throw .cannotStart
      case .malformed, .out_of_memory, .invalid_question: throw .malformed
      }
    }
  }

  /// Ends the processes that wait for questions.
  package func endIdleProcesses() {
    let children = idle.withLock { children in
      defer { children = [] }
      return children
    }
    // The last references: processes end here, outside of the lock.
    _ = consume children
  }

  /// The processes that wait for questions, for tests.
  package var idleProcesses: [Int] { idle.withLock { $0.map(\.process) } }

  private func putBack(_ child: Child) {
    idle.withLock { if $0.count < idleLimit { $0.append(child) } }
  }
}

/// The address of constant data.
private struct KindPointer: @unchecked Sendable {  // because the data is constant
  let address: UnsafePointer<fov_reader_kind>
}

/// A process that answers; it ends with this object.
private final class Child: @unchecked Sendable {  // because one thread at a time holds it
  private let reader: OpaquePointer

  init(_ kind: UnsafePointer<fov_reader_kind>) throws(IsolatedReader.Failure) {
    var reader: OpaquePointer?
    guard fov_reader_start(kind, &reader) == .ok, let reader else { throw .cannotStart }
    self.reader = reader
  }

  deinit { fov_reader_stop(reader) }

  var process: Int { Int(fov_reader_process(reader)) }

  func ask(
    _ operation: UInt32, parameters: [UInt8], picture: [UInt8], answerBytes: Int,
    milliseconds: Int32
  ) -> (fov_reader_status, [UInt8]) {
    parameters.withUnsafeBufferPointer { parameters in
      picture.withUnsafeBufferPointer { picture in
        var question = fov_reader_question(
          operation: operation, parameters: parameters.baseAddress,
          parameter_bytes: parameters.count, picture: picture.baseAddress,
          picture_bytes: picture.count, answer_bytes_max: answerBytes)
        var answer: UnsafePointer<UInt8>?
        var count = 0
        let status = fov_reader_ask(reader, &question, milliseconds, &answer, &count)
        defer { fov_reader_forget(reader) }
        return (status, Array(UnsafeBufferPointer(start: answer, count: answer == nil ? 0 : count)))
      }
    }
  }
}
