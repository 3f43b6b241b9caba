// Fovea - what a camera's reader asks of the system.
// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
  internal import CVideoDevice
  internal import FoveaLibc

  /// What a camera's reader asks of the system: a table, so that tests can take the place of a
  /// camera.
  package struct CameraSystem: Sendable {
    /// Opens a device; negative where that fails, and the error number is set.
    package var open: @Sendable (String) -> Int32
    /// Closes it.
    package var close: @Sendable (Int32) -> Void
    /// Makes a request of the kernel's interface. Returns 0 or an error number.
    package var call: @Sendable (Int32, UInt, UnsafeMutableRawPointer) -> Int32
    /// Maps so many bytes of a device at an offset; `nil` where that fails.
    package var map: @Sendable (Int32, Int, Int) -> UnsafeMutableRawPointer?
    /// Gives mapped memory back.
    package var unmap: @Sendable (UnsafeMutableRawPointer, Int) -> Void
    /// Waits so many milliseconds for a picture. Returns 1, 0 for none yet, or a negative error
    /// number.
    package var wait: @Sendable (Int32, Int32) -> Int32

    /// Creates a table.
    package init(
      open: @escaping @Sendable (String) -> Int32, close: @escaping @Sendable (Int32) -> Void,
      call: @escaping @Sendable (Int32, UInt, UnsafeMutableRawPointer) -> Int32,
      map: @escaping @Sendable (Int32, Int, Int) -> UnsafeMutableRawPointer?,
      unmap: @escaping @Sendable (UnsafeMutableRawPointer, Int) -> Void,
      wait: @escaping @Sendable (Int32, Int32) -> Int32
    ) {
      (self.open, self.close, self.call) = (open, close, call)
      (self.map, self.unmap, self.wait) = (map, unmap, wait)
    }

    /// The kernel.
    package static let kernel = CameraSystem(
      open: { openDevice($0) },
      close: { closeDevice($0) },
      call: { device, request, argument in
        while true {
          if fov_camera_call(device, request, argument) == 0 { return 0 }
          if errno != EINTR { return errno }
        }
      },
      map: { device, count, offset in
        let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, device, offset)
        return memory == MAP_FAILED ? nil : memory
      },
      unmap: { munmap($0, $1) },
      wait: { device, milliseconds in
        var entry = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
        let ready = poll(&entry, 1, milliseconds)
        if ready < 0 { return errno == EINTR ? 0 : -errno }
        return ready
      })
  }

  // Outside the table, where `open` and `close` mean those of the C library.
  private func openDevice(_ path: String) -> Int32 { open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC) }

  private func closeDevice(_ device: Int32) { close(device) }
#endif
