// Fovea - what the command asks of the system.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles
internal import FoveaLibc

/// What the command asks of the system: three streams, folders, and the end.
package enum SystemInterface {
  /// Writing to a reader that has gone away becomes an error instead of a signal.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Ends the process.
  package static func exit(_ status: Int32) -> Never { endProcess(status) }

  /// Writes to standard output. A reader that has gone away ends the process quietly, as it does
  /// for other programs in a pipe; anything else that goes wrong ends it with 1 and a message.
  package static func writeOutput(_ text: String) {
    guard let failure = write(text, to: STDOUT_FILENO) else { return }
    if failure == EPIPE { exit(0) }
    writeError("fovea: standard output cannot be written: \(message(failure)); free some room\n")
    exit(1)
  }

  /// Writes to standard error; nobody is left to hear of a failure.
  package static func writeError(_ text: String) { _ = write(text, to: STDERR_FILENO) }

  /// Whether standard error is read by a person, and standard output is not in their way.
  package static var showsProgress: Bool {
    isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 0
  }

  /// Whether a person reads standard error.
  package static var showsLines: Bool { isatty(STDERR_FILENO) == 1 }

  /// Shows a line in place of the one before it, to a person; an empty one clears it.
  package static func writeProgress(_ text: String) {
    if isatty(STDERR_FILENO) == 1 { writeError("\r\u{1B}[K" + text) }
  }

  /// Says that a file was written, where nothing else does.
  package static func reportWritten(_ path: String) { writeError("wrote \(path.printable)\n") }

  /// The names of the files in a folder, in no order; `nil` for what is no folder.
  package static func fileNames(in path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee))
        {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Whether nothing at all has this name.
  package static func isMissing(_ path: String) -> Bool {
    access(path, F_OK) != 0 && errno == ENOENT
  }

  /// Writes a file of text in place of the one there was.
  package static func writeFile(_ text: String, to path: String) throws(CommandFailure) {
    do throws(FileError) {
      try FileBytes.write(Array(text.utf8), to: path)
    } catch {
      throw CommandFailure("\(path): \(error)")
    }
  }

  /// Makes a folder unless there is one.
  package static func makeFolder(_ path: String) throws(CommandFailure) {
    if mkdir(path, 0o777) == 0 { return }
    let failure = errno
    var status = stat()
    if failure == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    throw CommandFailure(
      "\(path): the folder cannot be made: \(message(failure)); name a folder that can be written")
  }

  /// The system's error number of a failed write, or `nil`.
  private static func write(_ text: String, to stream: Int32) -> Int32? {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { writeSome(stream, $0.baseAddress, $0.count) }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  private static func message(_ number: Int32) -> String { String(cString: strerror(number)) }
}

// Outside `SystemInterface`, where `exit` and `write` mean those of the C library.
private func endProcess(_ status: Int32) -> Never { exit(status) }

private func writeSome(_ stream: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(stream, bytes, count)
}
