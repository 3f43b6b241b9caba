// Fovea - how FFmpeg's libraries are asked to open a source.
// SPDX-License-Identifier: Apache-2.0
#if Video
  /// The words that libavformat takes for a source.
  enum MediaOptions {
    /// The address.
    static func address(of source: VideoSource) -> String {
      switch source {
      // With the prefix, a colon in a name is no protocol.
      case .file(let path): "file:" + path
      case .pictures(let pattern): pattern
      case .network(let address): address
      case .camera(let device): device
      // Its bytes are read by `MediaBytes`.
      case .standardInput: ""
      }
    }

    /// The name of the format, where it does not follow from the bytes.
    static func format(of source: VideoSource) -> String? {
      switch source {
      case .pictures: "image2"
      case .camera: "video4linux2"
      case .file, .network, .standardInput: nil
      }
    }

    /// The options. A file may name no other files and no addresses; a stream may name no files.
    static func dictionary(
      for source: VideoSource, _ options: VideoOptions
    ) -> [(String, String)] {
      switch source {
      case .file, .pictures: return [("protocol_whitelist", "file")]
      case .standardInput: return [("protocol_whitelist", "")]
      case .camera: return []
      case .network(let address): return network(address, options)
      }
    }

    private static func network(
      _ address: String, _ options: VideoOptions
    ) -> [(String, String)] {
      // FFmpeg keeps it in 32 bits; beyond that, `ReadingGuard` ends the waiting.
      let wait = String(Int(max(1, min(options.limits.readingSeconds * 1e6, 2e9))))
      var words = [
        (
          "protocol_whitelist",
          "http,https,httpproxy,rtsp,rtsps,rtp,srtp,udp,tcp,tls,srt,rtmp,rtmps"
        ),
        // A live source is looked at for half a second. Its pictures are kept for the reader.
        ("analyzeduration", "500000"), ("probesize", "2000000"),
      ]
      if address.hasPrefix("rtsp") {
        // Packets that UDP loses are missing in the picture, without a word.
        words += [("rtsp_transport", "tcp"), ("timeout", wait), ("reorder_queue_size", "0")]
      } else {
        words.append(("rw_timeout", wait))
      }
      return words
    }
  }
#endif
