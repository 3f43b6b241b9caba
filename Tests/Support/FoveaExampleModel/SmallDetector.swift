// Fovea - a small detector without training, and drawn pictures for it.
// SPDX-License-Identifier: Apache-2.0
public import FoveaTestSupport

/// A small Darknet detector with random weights, and drawn pictures of squares.
public struct SmallDetector {
  /// Where its files are.
  public let folder: TemporaryFolder

  /// The classes.
  public static let labels = ["square", "wide"]

  private static let layers = """
    [net]
    width=64
    height=64
    channels=3
    [convolutional]
    batch_normalize=1
    filters=8
    size=3
    stride=2
    pad=1
    activation=leaky
    [convolutional]
    batch_normalize=1
    filters=8
    groups=8
    size=5
    stride=1
    pad=1
    activation=leaky
    [convolutional]
    filters=8
    size=1
    activation=linear
    [shortcut]
    from=-3
    activation=linear
    [convolutional]
    filters=12
    size=3
    stride=2
    pad=1
    activation=swish
    [maxpool]
    size=3
    stride=1
    [route]
    layers=-1,-2
    [convolutional]
    filters=21
    size=1
    activation=linear
    [yolo]
    mask=0,1,2
    anchors=8,8,16,16,32,16
    classes=2

    """

  /// Writes the files.
  public init() throws {
    folder = try TemporaryFolder()
    _ = try folder.write("small.cfg", Array(Self.layers.utf8))
    _ = try folder.write("small.names", Array("square\nwide\n".utf8))
    _ = try folder.write("small.weights", Self.weights())
  }

  /// The path of the layers.
  public var path: String { folder.path("small.cfg") }

  private static func weights() -> [UInt8] {
    var random = SplitMix(seed: 3)
    func unit() -> Float { Float(random.next() >> 40) / Float(1 << 24) - 0.5 }
    var floats: [Float] = []
    func layer(_ filters: Int, _ inputs: Int, _ taps: Int, isNormalized: Bool) {
      floats += (0..<filters).map { _ in 0.2 * unit() }
      if isNormalized {
        floats += (0..<filters).map { _ in 1 + 0.4 * unit() }
        floats += (0..<filters).map { _ in 0.1 * unit() }
        floats += (0..<filters).map { _ in 1 + 0.4 * unit() }
      }
      let scale = 2 / Float(inputs * taps).squareRoot()
      floats += (0..<filters * inputs * taps).map { _ in scale * unit() }
    }
    layer(8, 3, 9, isNormalized: true)
    layer(8, 1, 25, isNormalized: true)
    layer(8, 8, 1, isNormalized: false)
    layer(12, 8, 9, isNormalized: false)
    layer(21, 24, 1, isNormalized: false)
    var bytes: [UInt8] = []
    for number in [Int32(0), 2, 0, 0, 0] { withUnsafeBytes(of: number) { bytes += $0 } }
    for float in floats { withUnsafeBytes(of: float) { bytes += $0 } }
    return bytes
  }

  /// A picture with a bright square or a wider rectangle; lengths are in pixels.
  public struct Picture {
    /// The file.
    public var path: String
    /// The place among the labels.
    public var label: Int
    /// The left edge.
    public var x: Int
    /// The upper edge.
    public var y: Int
    /// The width.
    public var width: Int
    /// The height.
    public var height: Int

    /// Create ML's words about it.
    public var annotation: String {
      let middle = (Double(x) + Double(width) / 2, Double(y) + Double(height) / 2)
      return """
        {"imagefilename": "\(path.split(separator: "/").last ?? "")", "annotation": [{"label": \
        "\(SmallDetector.labels[label])", "coordinates": {"x": \(middle.0), "y": \(middle.1), \
        "width": \(width), "height": \(height)}}]}
        """
    }
  }

  /// The columns and rows of a picture.
  public static let side = 64

  /// Pictures with one bright square each, written to the folder.
  public func pictures(count: Int = 12) throws -> [Picture] {
    try (0..<count).map { index in
      let (side, isWide) = (12 + index % 3 * 4, index % 2 == 1)
      let (width, height) = (isWide ? side * 3 / 2 : side, side)
      let (x, y) = (index * 7 % (64 - width), index * 11 % (64 - height))
      var pixels = (0..<64 * 64 * 3).map { UInt8(40 + ($0 * 37 + index * 11) % 50) }
      for row in y..<y + height {
        for column in x..<x + width {
          pixels[(row * 64 + column) * 3] = 230
          pixels[(row * 64 + column) * 3 + 1] = isWide ? 220 : 60
        }
      }
      let path = try folder.write(
        "\(index).png", UncompressedPNG.encode(width: 64, height: 64, pixels: pixels))
      return Picture(
        path: path, label: isWide ? 1 : 0, x: x, y: y, width: width, height: height)
    }
  }
}
