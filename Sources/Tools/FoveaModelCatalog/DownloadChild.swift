// Fovea - the program that downloads, as a child process.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// The program curl as a child process. It writes what it downloads into a pipe; this process opens no
/// connection, and no shell sees the address.
final class DownloadChild {
  /// Why it could not begin.
  enum StartFailure: Error {
    case missing
    case refused(String)
  }

  /// What came of waiting for it.
  enum Event {
    case bytes([UInt8])
    /// It ended with this exit code; 128 and more for a signal.
    case end(Int32)
    /// Nothing came in time.
    case silence
  }

  private static let program = "curl"
  /// What it may know of this process: where programs, certificates and proxies are.
  private static let variables = [
    "PATH", "HOME", "LANG", "LC_ALL", "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy",
    "ALL_PROXY", "no_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE",
    "CURL_HOME", "XDG_CONFIG_HOME",
  ]
  /// What it says of its failure is short.
  private static let greatestComplaint = 2000

  private let process: pid_t
  private var output: Int32
  private var errors: Int32
  private var isRunning = true
  /// What it says on standard error.
  private(set) var complaint: [UInt8] = []

  /// Starts it.
  ///
  /// - Throws: `StartFailure`.
  init(_ address: String) throws(StartFailure) {
    var (outputEnds, errorEnds): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard makePipe(&outputEnds), makePipe(&errorEnds) else {
      let words = String(cString: strerror(errno))
      for end in outputEnds + errorEnds where end >= 0 { close(end) }
      throw .refused(words)
    }
    defer { for end in [outputEnds[1], errorEnds[1]] { close(end) } }
    let arguments = [
      Self.program, "--fail", "--location", "--silent", "--show-error", "--globoff",
      "--proto", "=http,https", "--max-redirs", "10", "--connect-timeout", "30", "--", address,
    ]
    let environment = Self.variables.compactMap { name in
      EnvironmentVariable.value(name).map { "\(name)=\($0)" }
    }
    var child: pid_t = 0
    let failure = spawn(
      arguments, environment, output: outputEnds[1], errors: errorEnds[1], &child)
    guard failure == 0 else {
      for end in [outputEnds[0], errorEnds[0]] { close(end) }
      throw failure == ENOENT ? .missing : .refused(String(cString: strerror(failure)))
    }
    (process, output, errors) = (child, outputEnds[0], errorEnds[0])
  }

  deinit {
    stop()
    for end in [output, errors] where end >= 0 { close(end) }
  }

  /// Ends it.
  func stop() {
    guard isRunning else { return }
    kill(process, SIGKILL)
    _ = status()
  }

  /// The next bytes, or its end; waits at most so many seconds for either.
  func next(patience seconds: Int) -> Event {
    while output >= 0 || errors >= 0 {
      // Descriptors that are closed are passed over.
      var entries = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&entries, 2, Int32(clamping: seconds * 1000))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return .silence }
      if entries[1].revents != 0 {
        let words = readSome(&errors)
        complaint += words.prefix(Self.greatestComplaint - complaint.count)
      }
      if entries[0].revents != 0 {
        let bytes = readSome(&output)
        if !bytes.isEmpty { return .bytes(bytes) }
      }
    }
    return .end(status())
  }

  /// Its exit code, once it has ended.
  private func status() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    isRunning = false
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// What a pipe has ready; at its end none, and it is closed.
  private func readSome(_ pipe: inout Int32) -> [UInt8] {
    let descriptor = pipe
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, readPipe(descriptor, buffer))
    }
    if bytes.isEmpty {
      close(pipe)
      pipe = -1
    }
    return bytes
  }
}

/// Starts a program that is looked for as a shell looks; the system's error number, or 0.
private func spawn(
  _ arguments: [String], _ environment: [String], output: Int32, errors: Int32,
  _ process: inout pid_t
) -> Int32 {
  var actions = posix_spawn_file_actions_t()
  var attributes = posix_spawnattr_t()
  posix_spawn_file_actions_init(&actions)
  posix_spawnattr_init(&attributes)
  defer {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, output, 1)
  posix_spawn_file_actions_adddup2(&actions, errors, 2)
  // This process ignores broken pipes; a child that goes on writing into one would never end.
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGPIPE)
  posix_spawnattr_setsigdefault(&attributes, &signals)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
  var argumentPointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
  var variablePointers: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
  defer { for pointer in argumentPointers + variablePointers { free(pointer) } }
  return posix_spawnp(
    &process, arguments[0], &actions, &attributes, &argumentPointers, &variablePointers)
}

private func makePipe(_ ends: inout [Int32]) -> Bool {
  guard pipe(&ends) == 0 else { return false }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return true
}

private func readPipe(_ descriptor: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
  while true {
    let count = read(descriptor, buffer.baseAddress, buffer.count)
    if count >= 0 || errno != EINTR { return count }
  }
}
