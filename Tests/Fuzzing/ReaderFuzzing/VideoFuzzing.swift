// Fovea - fuzzing: the boundaries of Motion JPEG, and the answers of cameras.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaLibc
import FoveaVideo

enum VideoFuzzing {
  private static let mostPictureBytes = 1024

  /// The first byte says how the others are cut. Pictures begin and end with their markers, do not
  /// overlap, are no longer than allowed, and are the same however the bytes come.
  static func splitMotionJPEG(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let stream = Array(bytes.dropFirst())
    let whole = pictures(stream, piece: 1 << 20)
    let parts = pictures(stream, piece: 1 + Int(first) % 64)
    promise(whole.lost <= stream.count, "\(whole.lost) pictures lost of \(stream.count) bytes")
    let isShort = stream.count <= mostPictureBytes
    promise(!isShort || whole.found == parts.found, "other pictures in pieces")
    var place = 0
    for picture in parts.found {
      promise(picture.starts(with: [0xFF, 0xD8, 0xFF]), "a picture without a start")
      promise(picture.suffix(2) == [0xFF, 0xD9], "a picture without an end")
      promise(picture.count <= mostPictureBytes, "a picture of \(picture.count) bytes")
      place += picture.count
    }
    promise(place <= stream.count, "pictures overlap")
  }

  private static func pictures(
    _ bytes: [UInt8], piece: Int
  ) -> (found: [[UInt8]], lost: Int) {
    var splitter = MotionJPEGSplitter(maximumPictureBytes: mostPictureBytes)
    var found: [[UInt8]] = []
    var place = 0
    while true {
      while let picture = splitter.withNextPicture({ Array($0) }) { found.append(picture) }
      let count = splitter.append { memory in
        let part = bytes[place..<min(place + min(piece, memory.count), bytes.count)]
        memory.copyBytes(from: part)
        return part.count
      }
      if count == 0 { break }
      place += count
    }
    splitter.finish()
    return (found, splitter.lostPictures)
  }

  #if os(Linux)
    /// A driver whose answers are the bytes. Pictures lie in the memory that it gave, or opening and
    /// reading end with an error.
    static func readCamera(_ bytes: [UInt8]) {
      let driver = FuzzedDriver(bytes)
      var options = VideoOptions()
      options.limits.readingSeconds = 0.005
      options.limits.maximumPixels = 1 << 16
      do throws(VideoError) {
        let reader = try CameraReader("/dev/video0", options, driver.system)
        var held: [VideoFrame] = []
        for _ in 0..<16 {
          guard let frame = try reader.next() else { return }
          promise(frame.size.width * frame.size.height <= 1 << 16, "a picture of \(frame.size)")
          // Reads every sample.
          _ = ReferenceColors().rgb(of: frame)
          held.append(frame)
          if held.count > 2 { held.removeFirst() }
        }
      } catch {
        promise(!error.description.isEmpty, "an error without words")
      }
    }
  #endif
}

#if os(Linux)
  /// A driver that answers with bytes that a fuzzer chooses.
  private final class FuzzedDriver: Sendable {
    private let rest: Locked<ArraySlice<UInt8>>

    init(_ bytes: [UInt8]) { rest = Locked(bytes[...]) }

    private func byte() -> UInt8 { rest.withLock { $0.popFirst() ?? 0 } }

    var system: CameraSystem {
      CameraSystem(
        open: { [self] _ in byte() == 255 ? -1 : 5 }, close: { _ in },
        call: { [self] _, request, argument in answer(request, argument) },
        map: { [self] _, count, _ in
          guard count <= 1 << 20, byte() != 255 else { return nil }
          let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
          memory.initializeMemory(as: UInt8.self, repeating: byte(), count: count)
          return memory
        },
        unmap: { memory, _ in memory.deallocate() },
        wait: { [self] _, _ in byte() == 255 ? -5 : 1 })
    }

    private func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
      let status = byte()
      if status >= 240 { return Int32(status - 239) }
      // The size of the structure is part of the request; some of its bytes are overwritten.
      let count = Int(request >> 16 & 0x3FFF)
      for _ in 0..<Int(byte() % 24) {
        argument.storeBytes(of: byte(), toByteOffset: Int(byte()) % max(count, 1), as: UInt8.self)
      }
      return 0
    }
  }
#endif
