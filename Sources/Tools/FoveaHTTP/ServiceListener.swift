// Fovea - sockets that listen for clients.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// A socket that listens.
final class ServiceListener: Sendable {
  let descriptor: Int32
  let port: UInt16

  private init(_ descriptor: Int32, _ port: UInt16) {
    (self.descriptor, self.port) = (descriptor, port)
  }

  deinit { close(descriptor) }

  /// Listens at every number that an address has.
  static func all(at address: ServiceAddress) throws(ServiceError) -> [ServiceListener] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    let name = address.host.contains(":") ? "[\(address.host)]" : address.host
    let text = "\(name):\(address.port)"
    let status = getaddrinfo(address.host, "\(address.port)", &hints, &found)
    guard status == 0 else {
      throw .unusable(address: text, words: String(cString: gai_strerror(status)))
    }
    defer { freeaddrinfo(found) }
    var listeners: [ServiceListener] = []
    var words = "the name has no address"
    var next = found
    while let entry = next?.pointee {
      next = entry.ai_next
      // All numbers have the port that the system chose for the first.
      if let listener = open(entry, listeners.first?.port) {
        listeners.append(listener)
      } else {
        words = String(cString: strerror(errno))
      }
    }
    guard !listeners.isEmpty else { throw .unusable(address: text, words: words) }
    return listeners
  }

  private static func open(_ entry: addrinfo, _ port: UInt16?) -> ServiceListener? {
    let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(entry.ai_family, entry.ai_socktype | flags, entry.ai_protocol)
    guard descriptor >= 0, let address = entry.ai_addr else { return nil }
    var one = Int32(1)
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
    if entry.ai_family == AF_INET6 {
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, size)
    }
    if let port { setPort(port, of: address) }
    guard systemBind(descriptor, address, entry.ai_addrlen) == 0, listen(descriptor, 128) == 0,
      let port = Self.port(of: descriptor)
    else {
      let number = errno
      close(descriptor)
      errno = number
      return nil
    }
    return ServiceListener(descriptor, port)
  }

  /// The port lies at the same place in addresses of IPv4 and IPv6.
  private static func setPort(_ port: UInt16, of address: UnsafeMutablePointer<sockaddr>) {
    address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
      $0.pointee.sin_port = port.bigEndian
    }
  }

  private static func port(of descriptor: Int32) -> UInt16? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(descriptor, address, &length) == 0 else { return nil }
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          UInt16(bigEndian: $0.pointee.sin_port)
        }
      }
    }
  }
}

// Outside the class, where names mean those of the C library.
private func systemBind(
  _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
) -> Int32 { bind(descriptor, address, length) }
