// Fovea - tests of the names of sources, and of matrices.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaTestSupport
import FoveaVideo
import Testing

@Suite("Names of sources")
struct VideoSourceTests {
  @Test func kinds() throws {
    #expect(try VideoSource(named: "-") == .standardInput)
    #expect(try VideoSource(named: "camera:3") == .camera("/dev/video3"))
    #expect(try VideoSource(named: "/dev/video0") == .camera("/dev/video0"))
    #expect(try VideoSource(named: "RTSP://a/b") == .network("RTSP://a/b"))
    #expect(try VideoSource(named: "a:b.mp4") == .file("a:b.mp4"))
    #expect(try VideoSource(named: "a/%04d.jpg") == .pictures("a/%04d.jpg"))
    #expect(try VideoSource(named: "100%.mp4") == .file("100%.mp4"))
    #expect(try VideoSource(named: "rtsp://a/b").isLive)
    #expect(try !VideoSource(named: "a.mp4").isLive)
  }

  @Test(arguments: ["", "file:///etc/passwd", "concat://a", "ftp://a/b"])
  func namesOfNothing(name: String) {
    #expect(throws: VideoError.self) { try VideoSource(named: name) }
  }

  @Test func passwordsAreNotPrinted() throws {
    #expect(try VideoSource(named: "rtsp://me:secret@cam/x@y").name == "rtsp://...@cam/x@y")
  }

  @Test func errorsNameCauseAndRemedy() {
    let text = "\(VideoError(.timedOut(seconds: 2.5), source: "rtsp://cam"))"
    #expect(
      text
        == "rtsp://cam: nothing came for 2.5 seconds; check the connection, or allow more time")
  }

  @Test func matrices() {
    let one = Int32(1) << 16
    let all: [(ImageOrientation, [Int32])] = [
      (.up, [1, 0, 0, 1]), (.upMirrored, [-1, 0, 0, 1]), (.down, [-1, 0, 0, -1]),
      (.downMirrored, [1, 0, 0, -1]), (.leftMirrored, [0, 1, 1, 0]), (.right, [0, 1, -1, 0]),
      (.rightMirrored, [0, -1, -1, 0]), (.left, [0, -1, 1, 0]),
    ]
    for (orientation, signs) in all {
      let (a, b, c, d) = (signs[0], signs[1], signs[2], signs[3])
      let matrix = [a * one, b * one, 0, c * one, d * one, 0, 7, 9, 1 << 30]
      #expect(DisplayMatrix.orientation(matrix) == orientation)
      // A pixel aspect in the matrix, and a little of the other axis left by rounding.
      let scaled = [a * 70_000 + b * 3, b * 90_000, 0, c * 70_000, d * 90_000, 0, 0, 0, 1 << 30]
      #expect(DisplayMatrix.orientation(scaled) == orientation)
    }
    #expect(DisplayMatrix.orientation([0, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
    #expect(DisplayMatrix.orientation([one, one, 0, -one, one, 0, 0, 0, 1 << 30]) == nil)
    #expect(DisplayMatrix.orientation([.min, 0, 0, 0, .min, 0, 0, 0, 1]) == .down)
    #expect(DisplayMatrix.orientation([1]) == nil)
  }

  @Test func sums() {
    // RFC 1321, A.5.
    #expect(MD5Digest.text(of: []) == "d41d8cd98f00b204e9800998ecf8427e")
    #expect(MD5Digest.text(of: Array("abc".utf8)) == "900150983cd24fb0d6963f7d28e17f72")
    let digits = Array(String(repeating: "1234567890", count: 8).utf8)
    #expect(MD5Digest.text(of: digits) == "57edf4a22be3c955ac49da2e2107b67a")
  }
}
