// Fovea - tests of pipes and of numbered pictures.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaLibc
import FoveaTestSupport
import FoveaVideo
import Testing

@Suite("Pipes", .enabled(if: SharedData.isPresent), .tags(.startsThreads)) struct PipeTests {
  /// A pipe with a name, into which a thread writes bytes and then waits.
  private func pipe(
    in folder: TemporaryFolder, _ bytes: [UInt8], waitingMilliseconds: Int = 0
  ) -> String {
    let path = folder.path("pipe")
    mkfifo(path, 0o600)
    _ = startThread(stackBytes: 1 << 18) {
      let file = open(path, O_WRONLY)
      bytes.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let count = write(file, rest.baseAddressOfRest, rest.count)
          guard count > 0 else { break }
          rest = rest.dropFirst(count)
        }
      }
      MonotonicClock.sleep(milliseconds: waitingMilliseconds)
      close(file)
    }
    return path
  }

  @Test func pipesAreReadToTheirEnd() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = pipe(in: folder, try SharedData.bytes("video/clips/base.ts"))
    let reader = try VideoSource.file(path).open()
    var count = 0
    while try reader.next() != nil { count += 1 }
    #expect(count == 24)
    #expect(reader.damage.isNone)
  }

  @Test func pipesThatStall() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let bytes = Array(try SharedData.bytes("video/clips/base.ts").prefix(30_000))
    let path = pipe(in: folder, bytes, waitingMilliseconds: 3000)
    var options = VideoOptions()
    options.limits.openingSeconds = 0.4
    options.limits.readingSeconds = 0.4
    let start = MonotonicClock.seconds()
    do {
      let reader = try VideoSource.file(path).open(options)
      while try reader.next() != nil {}
      Issue.record("a pipe that stalls ends")
    } catch {
      #expect(error.reason == .timedOut(seconds: 0.4))
    }
    #expect(MonotonicClock.seconds() - start < 2.5)
  }

  @Test func numberedPictures() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let picture = SharedData.url("video/clips/motion-jpeg-frame-without-huffman-tables.jpg")
    for number in 1...3 {
      try FileManager.default.copyItem(
        at: picture, to: URL(fileURLWithPath: folder.path("a-00\(number).jpg")))
    }
    let source = try VideoSource(named: folder.path("a-%03d.jpg"))
    #expect(source == .pictures(folder.path("a-%03d.jpg")))
    let reader = try source.open()
    var times: [Double] = []
    while let frame = try reader.next() { times.append(frame.time) }
    #expect(times.count == 3)
    #expect(times == times.sorted())
  }

  @Test func picturesThatAreMissing() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(throws: VideoError.self) {
      try VideoSource(named: folder.path("none-%03d.jpg")).open()
    }
    #expect(throws: VideoError.self) { try VideoSource.file(folder.path("none.mp4")).open() }
    #expect(throws: VideoError.self) { try VideoSource.file(folder.path("")).open() }
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// Where the rest of the bytes lies.
  fileprivate var baseAddressOfRest: UnsafeRawPointer? {
    UnsafeRawBufferPointer(rebasing: self).baseAddress
  }
}
