// Fovea - feeds the Swift readers bytes: chosen by libFuzzer, or of files.
// SPDX-License-Identifier: Apache-2.0
//
//   ReaderFuzzing targets               prints the names of the targets
//   ReaderFuzzing TARGET seeds FOLDER   writes the files that fuzzing begins with
//   ReaderFuzzing TARGET [ARGUMENT...]  built with FOVEA_LIBFUZZER: libFuzzer's own arguments; else files to feed
//
// Scripts/fuzz builds it with libFuzzer. A broken promise ends the process.
import FoveaFiles
import FoveaLibc
import FoveaTestSupport

#if FOVEA_LIBFUZZER
  @_silgen_name("LLVMFuzzerRunDriver")
  func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer,
    _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
  ) -> CInt

  /// The target of this process; libFuzzer's callback takes no context.
  nonisolated(unsafe) private var chosen = FuzzTarget.boxes

  func fuzz(_ target: FuzzTarget, _ arguments: [String]) throws -> CInt {
    chosen = target
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    return words.withUnsafeMutableBufferPointer { buffer in
      var count = CInt(buffer.count - 1)
      var first = buffer.baseAddress
      return runFuzzer(&count, &first) { data, size in
        chosen.feed(Array(UnsafeBufferPointer(start: data, count: size)))
        return 0
      }
    }
  }
#else
  func fuzz(_ target: FuzzTarget, _ arguments: [String]) throws -> CInt {
    for path in arguments.dropFirst() {
      target.feed(try FileBytes.read(path, maximumCount: .max))
    }
    return 0
  }
#endif

func run(_ arguments: [String]) throws -> CInt {
  if arguments.dropFirst() == ["targets"] {
    for target in FuzzTarget.allCases { print(target.rawValue) }
    return 0
  }
  guard arguments.count >= 2, let target = FuzzTarget(rawValue: arguments[1]) else {
    print("usage: ReaderFuzzing targets | TARGET seeds FOLDER | TARGET [ARGUMENT...]")
    return 2
  }
  guard arguments.count == 4, arguments[2] == "seeds" else {
    return try fuzz(target, [arguments[0]] + arguments.dropFirst(2))
  }
  for (number, bytes) in try FuzzSeeds.files(of: target).enumerated() {
    try FileBytes.write(bytes, to: "\(arguments[3])/seed-\(number)")
  }
  return 0
}

exit(try run(CommandLine.arguments))
