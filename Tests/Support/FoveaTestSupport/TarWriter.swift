// Fovea - tar archives made by hand, for tests.
// SPDX-License-Identifier: Apache-2.0
package import FoveaFiles

/// Writes tar archives header by header, after POSIX.1-2017 and the GNU manual.
public struct TarWriter {
  /// The archive so far.
  public private(set) var bytes: [UInt8] = []

  /// An empty archive.
  public init() {}

  /// How a size is written.
  public enum SizeForm: Sendable { case octal, base256, spaces }

  /// Adds a header and, filled to a whole block, content.
  ///
  /// - Parameter statedCount: The size in the header; `nil` for that of the content.
  public mutating func add(
    _ name: String, _ content: [UInt8] = [], type: Character = "0", prefix: String = "",
    magic: String = "ustar\u{0}00", size form: SizeForm = .octal, statedCount: Int? = nil
  ) {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at place: Int) {
      header.replaceSubrange(place..<place + text.utf8.count, with: text.utf8)
    }
    put(name, at: 0)
    put("0000644\u{0}", at: 100)
    let count = statedCount ?? content.count
    switch form {
    case .octal: put(Self.octal(count, digits: 11), at: 124)
    case .spaces: put("       " + String(count, radix: 8) + " ", at: 124)
    case .base256:
      header[124] = 0x80
      for place in 0..<8 { header[135 - place] = UInt8(truncatingIfNeeded: count >> (8 * place)) }
    }
    header[156] = type.asciiValue ?? 0
    put(magic, at: 257)
    put(prefix, at: 345)
    let sum = header.reduce(8 * 32) { $0 + Int($1) }
    put(Self.octal(sum, digits: 6) + "\u{0} ", at: 148)
    bytes += header
    append(content)
  }

  /// Adds an extended header (pax) for the member that follows.
  public mutating func addRecords(_ records: [(String, String)], type: Character = "x") {
    let text = records.map { key, value in
      let rest = " \(key)=\(value)\n"
      var count = rest.utf8.count + 1
      while "\(count)".count + rest.utf8.count != count { count += 1 }
      return "\(count)\(rest)"
    }.joined()
    add("PaxHeaders/x", Array(text.utf8), type: type)
  }

  /// Adds bytes, filled to a whole block.
  public mutating func append(_ content: [UInt8]) {
    bytes += content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
  }

  /// Adds the two blocks of zeros at the end.
  public mutating func finish() { append([UInt8](repeating: 0, count: 1024)) }

  private static func octal(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 8)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Archives of all forms, and what is in them.
  public static var examples: [(bytes: [UInt8], members: [String: [UInt8]])] {
    let (a, b): ([UInt8], [UInt8]) = (Array("first".utf8), Array(repeating: 7, count: 1025))
    let long = String(repeating: "folder/", count: 40) + "b.png"
    var archives: [TarWriter] = []
    func archive(_ fill: (inout TarWriter) -> Void) {
      var writer = TarWriter()
      fill(&writer)
      archives.append(writer)
    }
    archive { writer in  // POSIX, with a folder, a link and a global header
      writer.addRecords([("comment", "x"), ("path", "wrong")], type: "g")
      writer.add("folder/", type: "5")
      writer.add("a.jpg", a)
      writer.add("link", type: "2", statedCount: 99)
      writer.add("b.png", b, prefix: String(long.dropLast(6)).suffix(150).description)
      writer.finish()
    }
    archive { writer in  // pax
      writer.addRecords([("mtime", "1.5"), ("path", "a.jpg")])
      writer.add("short", a)
      writer.addRecords([("path", long), ("size", "1025")])
      writer.add("short", b, statedCount: 0)
      writer.finish()
    }
    archive { writer in  // GNU
      writer.add("a.jpg", a, magic: "ustar  \u{0}", size: .base256)
      writer.add("././@LongLink", Array((long + "\u{0}").utf8), type: "L", magic: "ustar  \u{0}")
      writer.add("././@LongLink", Array("target\u{0}".utf8), type: "K", magic: "ustar  \u{0}")
      writer.add("short", b, magic: "ustar  \u{0}")
      writer.finish()
    }
    archive { writer in  // before POSIX, and without an end
      writer.add("a.jpg", a, type: "\u{0}", magic: "", size: .spaces)
      writer.add("folder/", type: "\u{0}", magic: "")
      writer.add("b.png", b, type: "\u{0}", magic: "")
    }
    let posixName = String(long.dropLast(6)).suffix(150) + "/b.png"
    let names = [posixName, long[...], long[...], "b.png"].map(String.init)
    return zip(archives, names).map { ($0.bytes, ["a.jpg": a, $1: b]) }
  }
}

/// Bytes in memory that are read at any place.
public struct BytesInMemory {
  private let bytes: [UInt8]

  /// Those of an array.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }
}

extension BytesInMemory: RandomAccessBytes {
  package var count: Int { bytes.count }

  package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    Array(bytes.dropFirst(offset).prefix(count))
  }
}
