// Fovea - a network that reads one picture and writes arrays.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaImaging
package import FoveaRuntime
internal import FoveaVision

/// A network that reads one color picture, as an image or as an array of numbers, and writes arrays.
///
/// Many tasks may run one network at the same time: sessions are lent to one at a time.
package final class ImageNetwork: Sendable {
  /// What levels of 0...255 become for a network that reads numbers.
  package struct Levels: Sendable {
    var scale: Float
    var bias: Float
    var isBlueFirst = false

    /// 0...1.
    static let unit = Levels(scale: 1 / 255, bias: 0)
    /// -1...1.
    static let signed = Levels(scale: 2 / 255, bias: -1)
    /// 0...255, blue first.
    static let blueFirst = Levels(scale: 1, bias: 0, isBlueFirst: true)
  }

  /// The size of the picture that the network reads.
  package let inputSize: ImageSize
  /// The outputs, in the order of the file.
  package let outputs: [Model.Port]

  private let input: Model.Port
  private let isChannelsFirst: Bool
  private let sessions: SessionCache

  /// Looks at the model's input and makes a first session.
  ///
  /// - Throws: `.unsuitableModel` for a model that does not read exactly one color picture;
  ///   `.detection` where a session cannot be made.
  package init(_ model: Model) throws(StillError) {
    guard model.inputs.count == 1, let input = model.inputs.first,
      let (size, isChannelsFirst) = Self.pictureSize(input)
    else {
      let found = model.inputs.map { "\"\($0.name)\" of \($0.shape)" }.joined(separator: ", ")
      throw .unsuitableModel(
        "\(model.name): the model reads \(found); expected one picture of red, green and blue")
    }
    (self.input, inputSize, self.isChannelsFirst) = (input, size, isChannelsFirst)
    outputs = model.outputs
    do throws(FoveaError) {
      sessions = try SessionCache(model: model, pool: nil)
    } catch {
      throw .detection(.runtime(error))
    }
  }

  /// Runs the network on a picture of its input's size.
  ///
  /// - Returns: The numbers of each output, in the order of `outputs`.
  /// - Throws: `.detection`.
  package func run(_ picture: Image, _ levels: Levels) throws(StillError) -> [[Float]] {
    do throws(DetectionError) {
      return try sessions.withSession { session, _ throws(DetectionError) in
        do throws(FoveaError) {
          try session.setInput(input.name, to: tensor(picture, levels))
          session.run()
          var results: [[Float]] = []
          for output in outputs { results.append(try session.output(output.name).floats()) }
          return results
        } catch {
          throw .runtime(error)
        }
      }
    } catch {
      throw .detection(error)
    }
  }

  /// Columns and rows of an input that is a color picture, and whether its channels come first.
  private static func pictureSize(_ input: Model.Port) -> (ImageSize, Bool)? {
    var shape = input.shape
    if shape.count == 4, shape[0] == 1 { shape.removeFirst() }
    guard shape.count == 3 else { return nil }
    if shape[2] == 3 { return (ImageSize(width: shape[1], height: shape[0]), false) }
    guard input.image == nil, shape[0] == 3 else { return nil }
    return (ImageSize(width: shape[2], height: shape[1]), true)
  }

  private func tensor(_ picture: Image, _ levels: Levels) throws(FoveaError) -> Tensor {
    // An image input knows itself what its levels become.
    if input.image != nil { return try Tensor(shape: input.shape, uint8s: picture.rgb) }
    let count = picture.width * picture.height
    let floats = [Float](unsafeUninitializedCapacity: 3 * count) { target, initialized in
      for channel in 0..<3 {
        let source = levels.isBlueFirst ? 2 - channel : channel
        for pixel in 0..<count {
          let place = isChannelsFirst ? channel * count + pixel : pixel * 3 + channel
          let level = Float(picture.rgb[pixel * 3 + source])
          target.initializeElement(at: place, to: level * levels.scale + levels.bias)
        }
      }
      initialized = 3 * count
    }
    return try Tensor(shape: input.shape, floats: floats)
  }
}
