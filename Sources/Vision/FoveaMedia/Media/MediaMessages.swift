// Fovea - what FFmpeg's libraries say about damage.
// SPDX-License-Identifier: Apache-2.0
#if Video
  internal import CLibAV
  internal import FoveaLibc

  /// What FFmpeg's libraries say while they open, read and decode one source.
  ///
  /// They fill in what is damaged, return success, and only print a message. Messages on threads
  /// that are inside a call for a source, and those of its decoder's own threads, belong to it.
  final class MediaMessages: Sendable {
    /// What the libraries are called for.
    enum Call: Sendable, Hashable {
      case opening
      case reading
      /// Decoding a packet of this number.
      case decoding(Int64)
    }

    private struct State {
      var call = Call.opening
      var firstWords: String?
      var readingErrors = 0
      /// Flags of the last packets: 1 for an error, 2 for a picture that was decoded to its end.
      var packets = [UInt8](repeating: 0, count: MediaMessages.rememberedPackets)
      /// Whether the decoder says of pictures that they were decoded to their end.
      var namesWholePictures = false
    }

    /// More than any decoder holds back.
    private static let rememberedPackets = 256

    private let state = Locked(State())

    // MARK: Calling

    /// Makes a call whose messages belong to this source.
    func during<Result, Failure: Error>(
      _ call: Call, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
      state.withLock { $0.call = call }
      let before = pthread_getspecific(Self.key)
      pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
      defer { pthread_setspecific(Self.key, before) }
      return try body()
    }

    /// Forgets what was said about packets of this number's place before.
    func begin(packet: Int64) {
      state.withLock { $0.packets[Self.place(of: packet)] = 0 }
    }

    private static func place(of packet: Int64) -> Int {
      Int(UInt64(bitPattern: packet) % UInt64(rememberedPackets))
    }

    // MARK: Asking

    /// What was said first since `forget()`.
    var firstWords: String? { state.withLock { $0.firstWords } }

    /// Errors in the container, which the reader passed over.
    var readingErrors: Int { state.withLock { $0.readingErrors } }

    /// Whether the picture of a packet is damaged, as far as the decoder says so.
    ///
    /// - Parameter packet: Its number, from 1; others come from decoders that lose it.
    func isDamaged(packet: Int64) -> Bool {
      guard packet > 0 else { return false }
      return state.withLock { state in
        let flags = state.packets[Self.place(of: packet)]
        return flags & 1 != 0 || state.namesWholePictures && flags & 2 == 0
      }
    }

    /// Forgets everything that was said.
    func forget() { state.withLock { $0 = State() } }

    // MARK: Listening

    /// The source that the calling thread is inside a call for.
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }()

    /// Decoders, whose threads are not those of any call.
    private static let decoders = Locked<[UInt: MediaMessages]>([:])

    /// Says that messages of a decoder belong to this source, until `release`.
    func own(_ decoder: UnsafeMutablePointer<AVCodecContext>) {
      Self.decoders.withLock { $0[UInt(bitPattern: decoder)] = self }
    }

    /// Says that a decoder is about to end.
    static func release(_ decoder: UnsafeMutablePointer<AVCodecContext>) {
      decoders.withLock { $0[UInt(bitPattern: decoder)] = nil }
    }

    /// Hands messages of sources over; others go where FFmpeg sends them itself.
    static func listen(_ library: fov_libav_functions) {
      // What is not about a source is not printed, unless the program asks for it.
      library.av_log_set_level(fov_libav_log_nothing)
      printer.withLock { $0 = library }
      library.av_log_set_callback { sender, level, format, arguments in
        guard level <= fov_libav_log_error || level == fov_libav_log_debug, let format else {
          return
        }
        if let messages = MediaMessages.receiver(of: sender) {
          messages.take(level, format, arguments)
        } else if level <= fov_libav_log_error {
          let printer = MediaMessages.printer.withLock { $0 }
          printer?.av_log_default_callback(sender, level, format, arguments)
        }
      }
    }

    /// The libraries, whose own function prints what is not about a source.
    private static let printer = Locked<fov_libav_functions?>(nil)

    private static func receiver(of sender: UnsafeMutableRawPointer?) -> MediaMessages? {
      if let current = pthread_getspecific(key) {
        return Unmanaged<MediaMessages>.fromOpaque(current).takeUnretainedValue()
      }
      return decoders.withLock { $0[UInt(bitPattern: sender)] }
    }

    private func take(
      _ level: Int32, _ format: UnsafePointer<CChar>, _ arguments: CVaListPointer?
    ) {
      if level > fov_libav_log_error {
        // The decoder of HEVC says no more about damage than that this line is missing.
        guard strncmp(format, "Decoded frame", 13) == 0 else { return }
        state.withLock { state in
          guard case .decoding(let packet) = state.call else { return }
          state.packets[Self.place(of: packet)] |= 2
          state.namesWholePictures = true
        }
        return
      }
      state.withLock { state in
        if state.firstWords == nil { state.firstWords = Self.words(format, arguments) }
        switch state.call {
        case .opening: break
        case .reading: state.readingErrors += 1
        case .decoding(let packet): state.packets[Self.place(of: packet)] |= 1
        }
      }
    }

    /// A message as one line.
    private static func words(
      _ format: UnsafePointer<CChar>, _ arguments: CVaListPointer?
    ) -> String? {
      guard let arguments else { return nil }
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { memory in
        guard let start = memory.baseAddress,
          vsnprintf(start, memory.count, format, arguments) > 0
        else { return nil }
        let line = String(cString: start).prefix { !$0.isNewline }
        return line.isEmpty ? nil : String(line)
      }
    }
  }
#endif
