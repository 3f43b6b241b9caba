// Fovea - a program run from start to end, with its time and memory.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaLibc

/// A program run from start to end, with its time and memory.
struct ChildProcess {
  /// What it printed.
  var output: String
  /// Milliseconds from the start to the last bytes that it printed.
  var milliseconds: Double
  /// Its largest resident set in MiB.
  var peakResident: Double

  /// Runs a program and waits for its end. Its standard error is this program's.
  ///
  /// - Throws: `CommandFailure` when it cannot be started or does not end with 0.
  static func run(_ arguments: [String]) throws(CommandFailure) -> ChildProcess {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw failure("a pipe", errno) }
    defer { close(ends[0]) }
    let start = ContinuousClock.now
    let process: pid_t
    do throws(CommandFailure) {
      process = try spawn(arguments, output: ends)
    } catch {
      close(ends[1])
      throw error
    }
    close(ends[1])
    var (bytes, last) = ([UInt8](), start)
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(ends[0], &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      last = .now
      bytes += buffer[..<count]
    }
    var (status, usage) = (Int32(0), rusage())
    while wait4(process, &status, 0, &usage) < 0 {
      guard errno == EINTR else { throw failure(arguments[0], errno) }
    }
    guard status == 0 else {
      let how = status & 0x7f == 0 ? "exit code \(status >> 8 & 0xff)" : "signal \(status & 0x7f)"
      throw CommandFailure("\(arguments.joined(separator: " ")): ended with \(how)")
    }
    #if canImport(Darwin)
      let bytesInUnit = 1.0
    #else
      let bytesInUnit = 1024.0
    #endif
    return ChildProcess(
      output: String(decoding: bytes, as: UTF8.self), milliseconds: (last - start).milliseconds,
      peakResident: Double(usage.ru_maxrss) * bytesInUnit / 1_048_576)
  }

  private static func spawn(
    _ arguments: [String], output ends: [Int32]
  ) throws(CommandFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process = pid_t()
    let result = posix_spawn(&process, arguments[0], &actions, nil, words, environ)
    guard result == 0 else { throw failure(arguments[0], result) }
    return process
  }

  private static func failure(_ what: String, _ number: Int32) -> CommandFailure {
    CommandFailure("\(what): \(String(cString: strerror(number)))")
  }
}
