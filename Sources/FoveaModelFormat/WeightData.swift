// Fovea - weights as the file stores them.
// SPDX-License-Identifier: Apache-2.0

/// An array of weights as the file stores it, sharing the file's bytes.
///
/// Nothing is decoded until asked for. Copies are cheap: they share the file.
public struct WeightData: Sendable {
  /// The bytes that `segments` index; usually the whole file.
  public let bytes: [UInt8]
  /// Where the stored values lie, in order; more than one where the file gave them in pieces.
  public let segments: [Range<Int>]
  /// How the stored values become floats.
  public let encoding: WeightEncoding

  /// Creates weights; every segment must lie within `bytes`.
  ///
  /// - Precondition: all segments lie within the bytes.
  public init(bytes: [UInt8], segments: [Range<Int>], encoding: WeightEncoding) {
    precondition(segments.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= bytes.count })
    self.bytes = bytes
    self.segments = segments
    self.encoding = encoding
  }

  /// The number of bytes stored. Complexity: O(segments).
  public var storedByteCount: Int { segments.reduce(0) { $0 + $1.count } }

  /// The number of whole values stored; quantized weights may be followed by spare ones.
  public var storedValueCount: Int {
    let (bytes, bits) = (storedByteCount, max(encoding.bitsPerValue, 1))
    return bytes / bits * 8 + bytes % bits * 8 / bits
  }

  /// The name of the encoding for people, such as "float32" or "8-bit lookup table".
  public var encodingName: String { encoding.name }

  /// Whether exactly `count` values can be taken: floats must match, codes may be followed
  /// by spare ones.
  public func holds(count: Int) -> Bool {
    encoding.isQuantized ? storedValueCount >= count : storedByteCount == encoding.byteCount(count)
  }

  /// The stored bytes as one run.
  ///
  /// - Complexity: O(1), or O(bytes) where the file gave them in pieces.
  public func contiguousBytes() -> ArraySlice<UInt8> {
    if segments.isEmpty { return [] }
    if segments.count == 1 { return bytes[segments[0]] }
    var copy: [UInt8] = []
    copy.reserveCapacity(storedByteCount)
    for segment in segments { copy.append(contentsOf: bytes[segment]) }
    return copy[...]
  }
}

extension WeightData: Equatable {
  /// Whether encoding and stored bytes are the same, wherever they lie.
  public static func == (left: WeightData, right: WeightData) -> Bool {
    left.encoding == right.encoding && left.storedByteCount == right.storedByteCount
      && left.contiguousBytes() == right.contiguousBytes()
  }
}

/// How per-channel scales run through an array of weights.
///
/// The channel of element i is (i / channelStride) % channelCount.
public struct WeightLayout: Sendable, Hashable {
  /// The number of weights.
  public var count: Int
  /// The number of channels.
  public var channelCount: Int
  /// The number of neighboring weights of one channel.
  public var channelStride: Int

  /// Creates a layout; by default all weights are one channel.
  public init(count: Int, channelCount: Int = 1, channelStride: Int? = nil) {
    self.count = count
    self.channelCount = channelCount
    self.channelStride = channelStride ?? max(count, 1)
  }
}
