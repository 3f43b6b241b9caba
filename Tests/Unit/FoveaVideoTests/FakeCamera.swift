// Fovea - a camera that is not there.
// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
  import FoveaLibc
  import FoveaVideo

  /// Answers the requests of a camera's reader, as a driver would or as none should.
  final class FakeCamera: Sendable {
    struct Behavior: Sendable {
      var capabilities: UInt32 = 0x0400_0001
      var formats = ["YUYV"]
      /// The format and size that the driver agrees to; `nil` for what it is asked.
      var agreed: (format: String, width: UInt32, height: UInt32)?
      var rowBytes: UInt32?
      var buffers: UInt32 = 4
      var bufferBytes = 1 << 16
      /// What becomes of each picture, in turn; the last again and again.
      var pictures: [Picture] = [.bytes(nil)]
      /// The bytes of each picture.
      var content: [UInt8] = []
      var refused: Set<UInt> = []
    }

    enum Picture: Sendable {
      /// So many bytes of the content, or all.
      case bytes(Int?)
      case failure(Int32)
      case flaggedAsBroken
      case ofBuffer(UInt32)
      case notReady
    }

    struct State: Sendable {
      var queued: [UInt32] = []
      var memory: [UInt] = []
      var taken = 0
      var isOpen = false
      var isStreaming = false
    }

    let behavior: Behavior
    let state = Locked(State())

    init(_ behavior: Behavior) { self.behavior = behavior }

    var system: CameraSystem {
      CameraSystem(
        open: { [self] _ in
          state.withLock { $0.isOpen = true }
          return 7
        },
        close: { [self] _ in state.withLock { $0.isOpen = false } },
        call: { [self] _, request, argument in answer(request, argument) },
        map: { [self] _, count, _ in
          let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
          memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
          state.withLock { $0.memory.append(UInt(bitPattern: memory)) }
          return memory
        },
        unmap: { [self] memory, _ in
          state.withLock { state in state.memory.removeAll { $0 == UInt(bitPattern: memory) } }
          memory.deallocate()
        },
        wait: { [self] _, milliseconds in
          if case .notReady = next { usleep(UInt32(min(milliseconds, 5)) * 1000) }
          return 1
        })
    }

    private var next: Picture {
      let taken = state.withLock { $0.taken }
      return behavior.pictures[min(taken, behavior.pictures.count - 1)]
    }

    // Offsets in the structures of linux/videodev2.h, on machines of 64 bits.
    private func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
      let number = request & 0xFF
      if behavior.refused.contains(number) { return EINVAL }
      func put(_ value: UInt32, at offset: Int) {
        argument.storeBytes(of: value, toByteOffset: offset, as: UInt32.self)
      }
      func word(at offset: Int) -> UInt32 { argument.load(fromByteOffset: offset, as: UInt32.self) }
      switch number {
      case 0: put(behavior.capabilities, at: 84)
      case 2:
        let index = Int(word(at: 0))
        guard index < behavior.formats.count else { return EINVAL }
        put(Self.code(behavior.formats[index]), at: 44)
      case 5:
        if let agreed = behavior.agreed {
          put(agreed.width, at: 8)
          put(agreed.height, at: 12)
          put(Self.code(agreed.format), at: 16)
        }
        put(behavior.rowBytes ?? 0, at: 24)
      case 8: put(behavior.buffers, at: 0)
      case 9:
        put(word(at: 0) * 65536, at: 64)
        put(UInt32(behavior.bufferBytes), at: 72)
      case 15: state.withLock { $0.queued.append(word(at: 0)) }
      case 17: return dequeue(argument)
      case 18: state.withLock { $0.isStreaming = true }
      case 19: state.withLock { $0.isStreaming = false }
      default: break
      }
      return 0
    }

    private func dequeue(_ argument: UnsafeMutableRawPointer) -> Int32 {
      let picture = next
      return state.withLock { state in
        state.taken += 1
        if case .failure(let number) = picture { return number }
        if case .notReady = picture { return EAGAIN }
        guard !state.queued.isEmpty else {
          state.taken -= 1
          return EAGAIN
        }
        var index = state.queued.removeFirst()
        var used = behavior.content.count
        var flags: UInt32 = 0x2000
        switch picture {
        case .bytes(let count): used = count ?? used
        case .flaggedAsBroken: flags |= 0x40
        case .ofBuffer(let other): index = other
        default: break
        }
        if Int(index) < state.memory.count,
          let memory = UnsafeMutableRawPointer(bitPattern: state.memory[Int(index)])
        {
          memory.copyMemory(
            from: behavior.content, byteCount: min(behavior.content.count, behavior.bufferBytes))
        }
        argument.storeBytes(of: index, toByteOffset: 0, as: UInt32.self)
        argument.storeBytes(of: UInt32(used), toByteOffset: 8, as: UInt32.self)
        argument.storeBytes(of: flags, toByteOffset: 12, as: UInt32.self)
        return 0
      }
    }

    static func code(_ letters: String) -> UInt32 {
      letters.utf8.enumerated().reduce(0) { $0 | UInt32($1.element) << UInt32(8 * $1.offset) }
    }
  }
#endif
