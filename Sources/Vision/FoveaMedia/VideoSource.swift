// Fovea - where moving pictures come from.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles
internal import FoveaLibc

/// Where moving pictures come from, as a user names it.
public enum VideoSource: Hashable, Sendable {
  /// A file of any container.
  case file(String)
  /// Numbered pictures: a path with a pattern such as `frame-%04d.jpg`.
  case pictures(String)
  /// An address such as `rtsp://camera/stream` or `http://camera/video.mjpg`.
  case network(String)
  /// A camera: the path of its device.
  case camera(String)
  /// Standard input.
  case standardInput

  /// The schemes of addresses that are read.
  private static let schemes = [
    "rtsp", "rtsps", "http", "https", "udp", "tcp", "rtp", "srt", "rtmp", "rtmps",
  ]

  /// The source that the words of a user name: `-` for standard input, `camera:2` or `/dev/video2`,
  /// an address, a pattern, else a file.
  ///
  /// - Throws: `.invalidSource` for an empty name and for an address of an unknown kind.
  public init(named name: String) throws(VideoError) {
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw VideoError(.invalidSource("names nothing"), source: "\"\"")
    }
    if name == "-" {
      self = .standardInput
    } else if let device = Self.cameraDevice(name) {
      self = .camera(device)
    } else if let scheme = Self.scheme(of: name) {
      guard Self.schemes.contains(scheme) else {
        throw VideoError(.invalidSource("addresses of \(scheme) are not read"), source: name)
      }
      self = .network(name)
    } else if Self.hasPattern(name), access(name, F_OK) != 0 {
      self = .pictures(name)
    } else {
      self = .file(name)
    }
  }

  /// The words by which errors name it. Passwords of addresses are left out.
  public var name: String {
    switch self {
    case .file(let path), .pictures(let path), .camera(let path): path
    case .network(let address): Self.withoutPassword(address)
    case .standardInput: "standard input"
    }
  }

  /// Whether it is the file at a path, by whatever name.
  package func isFile(_ path: String) -> Bool {
    guard case .file(let name) = self, let file = FilePath.resolved(path) else { return false }
    return file == FilePath.resolved(name)
  }

  /// Whether pictures come at their own pace, and are lost when nobody takes them.
  public var isLive: Bool {
    switch self {
    case .network, .camera: true
    case .file, .pictures, .standardInput: false
    }
  }

  private static func cameraDevice(_ name: String) -> String? {
    if name.hasPrefix("/dev/video") { return name }
    guard name.hasPrefix("camera:") else { return nil }
    let number = name.dropFirst(7)
    return !number.isEmpty && number.allSatisfy(\.isNumber) ? "/dev/video\(number)" : nil
  }

  /// The letters before `://`, lower case.
  private static func scheme(of name: String) -> String? {
    let letters = name.prefix { $0.isLetter || $0.isNumber }
    guard !letters.isEmpty, name[letters.endIndex...].hasPrefix("://") else { return nil }
    return letters.lowercased()
  }

  /// Whether a path has a number's place, such as `%d` or `%06d`.
  private static func hasPattern(_ path: String) -> Bool {
    var rest = path[...]
    while let percent = rest.firstIndex(of: "%") {
      rest = rest[rest.index(after: percent)...]
      if rest.drop(while: \.isNumber).first == "d" { return true }
    }
    return false
  }

  private static func withoutPassword(_ address: String) -> String {
    let scheme = address.prefix { $0 != ":" }
    let rest = address.dropFirst(scheme.count + 3)
    let host = rest.prefix { $0 != "/" }
    guard let at = host.lastIndex(of: "@") else { return address }
    return "\(scheme)://...\(rest[at...])"
  }
}
