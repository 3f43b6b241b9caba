// Fovea - weights as the file stores them.
// SPDX-License-Identifier: Apache-2.0

/// An array of weights as the file stores it. It shares the bytes of the file.
///
/// Weights are decoded on demand. Copies are cheap.
public struct WeightData: Sendable {
  /// The bytes that `segments` index; usually the whole file.
  public let bytes: StoredBytes
  /// The ranges of the stored values, in order. There are several if the file stores them in
  /// pieces.
  public let segments: [Range<Int>]
  /// How the stored values become floats.
  public let encoding: WeightEncoding

  /// Creates weights.
  ///
  /// - Precondition: All segments lie within `bytes`.
  public init(bytes: [UInt8], segments: [Range<Int>], encoding: WeightEncoding) {
    self.init(StoredBytes(bytes), segments: segments, encoding: encoding)
  }

  /// Weights that are all of some bytes.
  public init(_ bytes: StoredBytes, encoding: WeightEncoding) {
    self.init(bytes, segments: [0..<bytes.count], encoding: encoding)
  }

  private init(_ bytes: StoredBytes, segments: [Range<Int>], encoding: WeightEncoding) {
    precondition(segments.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= bytes.count })
    self.bytes = bytes
    self.segments = segments
    self.encoding = encoding
  }

  /// The number of bytes stored. Complexity: O(segments).
  public var storedByteCount: Int { segments.reduce(0) { $0 + $1.count } }

  /// The number of whole stored values. Quantized weights may have unused values at the end.
  public var storedValueCount: Int {
    let (bytes, bits) = (storedByteCount, max(encoding.bitsPerValue, 1))
    return bytes / bits * 8 + bytes % bits * 8 / bits
  }

  /// A readable name of the encoding, such as "float32" or "8-bit lookup table".
  public var encodingName: String { encoding.name }

  /// Whether the array holds `count` values: exactly so many floats, or at least so many codes.
  public func holds(count: Int) -> Bool {
    encoding.isQuantized
      ? storedValueCount >= count / encoding.weightsPerValue
      : storedByteCount == encoding.byteCount(count)
  }

  /// The stored bytes as one run.
  ///
  /// - Complexity: O(1), or O(bytes) if the file stores them in pieces.
  public func contiguousBytes() -> StoredBytes {
    if segments.isEmpty { return bytes[0..<0] }
    if segments.count == 1 { return bytes[segments[0]] }
    var copy: [UInt8] = []
    copy.reserveCapacity(storedByteCount)
    for segment in segments { bytes[segment].withBytes { copy += $0 } }
    return StoredBytes(copy)
  }
}

extension WeightData: Equatable {
  /// Whether the encodings and the stored bytes are equal.
  public static func == (left: WeightData, right: WeightData) -> Bool {
    left.encoding == right.encoding && left.storedByteCount == right.storedByteCount
      && left.contiguousBytes() == right.contiguousBytes()
  }
}

/// The order of channels in an array of weights.
///
/// The channel of element i is (i / channelStride) % channelCount.
public struct WeightLayout: Sendable, Hashable {
  /// The number of weights.
  public var count: Int
  /// The number of channels.
  public var channelCount: Int
  /// The number of consecutive weights of one channel.
  public var channelStride: Int

  /// Creates a layout. By default, all weights belong to one channel.
  public init(count: Int, channelCount: Int = 1, channelStride: Int? = nil) {
    self.count = count
    self.channelCount = channelCount
    self.channelStride = channelStride ?? max(count, 1)
  }
}
