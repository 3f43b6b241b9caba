// Fovea - asking a server for a Motion JPEG, without FFmpeg.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Where an `http` address leads.
package struct PlainAddress: Hashable, Sendable {
  /// The name or number of the machine.
  package var host: String
  /// The port, 80 if none is named.
  package var port: String
  /// What is asked for, with its leading slash.
  package var target: String

  /// Takes an address apart.
  ///
  /// - Returns: `nil` for another scheme, an address with a password, and one that is none.
  package init?(_ address: String) {
    let scheme = "http://"
    guard address.lowercased().hasPrefix(scheme) else { return nil }
    let rest = address.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let path = rest.dropFirst(authority.count).prefix { $0 != "#" }
    target = path.hasPrefix("/") ? String(path) : "/" + path
    // Characters that would end the line of the request or begin another header.
    guard !authority.contains("@"),
      !address.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F })
    else { return nil }
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = String(authority[authority.index(after: authority.startIndex)..<end])
      let after = authority[authority.index(after: end)...]
      guard after.isEmpty || after.hasPrefix(":") else { return nil }
      port = after.isEmpty ? "80" : String(after.dropFirst())
    } else {
      let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2 else { return nil }
      host = String(parts[0])
      port = parts.count == 2 ? String(parts[1]) : "80"
    }
    guard !host.isEmpty, let number = Int(port), (1...65535).contains(number) else { return nil }
  }
}

/// Asks a server for a Motion JPEG by HTTP/1.0.
enum PlainConnection {
  /// Connects, asks, and reads the first line of the answer.
  ///
  /// - Throws: `.unreadable`, `.timedOut`, `.cancelled`, `.badAnswer`.
  static func open(
    _ address: PlainAddress, _ options: VideoOptions, source: String
  ) throws(VideoError) -> ByteSource {
    let bytes = try connect(address, options, source: source)
    let request =
      "GET \(address.target) HTTP/1.0\r\nHost: \(address.host)\r\nUser-Agent: fovea\r\n"
      + "Accept: multipart/x-mixed-replace, image/jpeg, */*\r\n\r\n"
    try bytes.write(Array(request.utf8))
    try checkStatus(bytes, source: source)
    return bytes
  }

  private static func connect(
    _ address: PlainAddress, _ options: VideoOptions, source: String
  ) throws(VideoError) -> ByteSource {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(address.host, address.port, &hints, &found)
    guard status == 0 else {
      throw VideoError(.unreadable(String(cString: gai_strerror(status))), source: source)
    }
    defer { freeaddrinfo(found) }
    var failure = VideoError(.unreadable("the name has no address"), source: source)
    var next = found
    while let entry = next?.pointee {
      next = entry.ai_next
      let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let descriptor = socket(entry.ai_family, entry.ai_socktype | flags, entry.ai_protocol)
      guard descriptor >= 0 else { continue }
      let bytes = ByteSource(descriptor, options, source: source)
      if systemConnect(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 { return bytes }
      var number = errno
      if number == EINPROGRESS {
        try bytes.wait(for: Int16(POLLOUT))
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length)
        if number == 0 { return bytes }
      }
      failure = VideoError(.unreadable(String(cString: strerror(number))), source: source)
    }
    throw failure
  }

  /// Reads the first line, such as `HTTP/1.0 200 OK`. What follows stays.
  private static func checkStatus(_ bytes: ByteSource, source: String) throws(VideoError) {
    var line: [UInt8] = []
    while line.last != 0x0A {
      guard line.count < 256, let byte = try bytes.readByte() else {
        throw VideoError(.badAnswer("the answer does not begin as HTTP does"), source: source)
      }
      line.append(byte)
    }
    let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count >= 2, words[0].hasPrefix("HTTP/") else {
      throw VideoError(.badAnswer("the answer does not begin as HTTP does"), source: source)
    }
    guard words[1] == "200" else {
      throw VideoError(
        .badAnswer("the server answers \(words.dropFirst().joined(separator: " "))"),
        source: source)
    }
  }
}

// Outside the type, where `connect` means that of the C library.
private func systemConnect(
  _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ length: socklen_t
) -> Int32 { connect(descriptor, address, length) }
