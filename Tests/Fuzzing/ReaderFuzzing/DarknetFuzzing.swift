// Fovea - fuzzing: Darknet's networks.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime

enum DarknetFuzzing {
  /// The most bytes of weights that a network gets.
  private static let greatestWeights = 1 << 16

  /// Two files are read and run, or refused with words. The first byte chooses the backend; then come
  /// the layers, a byte of 0, and the weights. Without the byte of 0 the weights are as long as the
  /// layers need.
  static func read(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let parts = bytes.dropFirst().split(
      separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let layers = Array(parts.first ?? [])
    guard let file = parts.count > 1 ? model(layers, Array(parts[1])) : fitted(layers) else {
      return
    }
    ModelFuzzing.run(first) { options throws(FoveaError) in
      try Model(file: file, name: "fuzzed", fileByteCount: bytes.count, options: options)
    }
  }

  /// Numbers of about 0.1 behind a header of version 0.2.
  private static let longWeights: [UInt8] =
    [0, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0]
    + (12..<greatestWeights).map { $0 % 4 == 3 ? 0x3E : UInt8(truncatingIfNeeded: $0 &* 37) }

  /// Weights that are too long say where they should have ended.
  private static func fitted(_ layers: [UInt8]) -> ModelDescription? {
    do throws(ModelFormatError) {
      return try described(layers, longWeights)
    } catch {
      guard error.code == .invalidWeights, let end = error.byteOffset else { return nil }
      return model(layers, Array(longWeights[..<end]))
    }
  }

  private static func model(_ layers: [UInt8], _ weights: [UInt8]) -> ModelDescription? {
    do throws(ModelFormatError) {
      let model = try described(layers, weights)
      promise(model.inputs.count == 3 && model.outputs.count == 2, "a model of another interface")
      return model
    } catch {
      promise(!error.found.isEmpty && !error.expected.isEmpty, "an error without words")
      return nil
    }
  }

  private static func described(
    _ layers: [UInt8], _ weights: [UInt8]
  ) throws(ModelFormatError) -> ModelDescription {
    try ModelDescription(
      anyFormat: weights, fileName: "a.weights",
      folder: FuzzedFolder(["a.cfg": layers, "a.names": Array("cat\ndog".utf8)]))
  }

  /// Layers of every kind, with weights as long as they need; the last ones with weights.
  static let seeds: [[UInt8]] = {
    let net = "[net]\nwidth=16\nheight=8\nchannels=3\n"
    let head = "[convolutional]\nfilters=14\nactivation=linear\n"
    let yolo = "[yolo]\nmask=0,1\nanchors=8,16, 16,8, 4,4\nclasses=2\nnum=3\nscale_x_y=1.05\n"
    let region = "[region]\nanchors=1,2, 3,4\nclasses=2\nnum=2\nsoftmax=1\n"
    let layers = [
      "[convolutional]\nbatch_normalize=1\nfilters=4\nsize=3\nstride=2\npad=1\nactivation=leaky\n",
      "[convolutional]\nfilters=6\ngroups=3\nsize=3\npadding=1\nactivation=mish\n",
      "[maxpool]\nsize=2\nstride=1\n[shortcut]\nfrom=0\nactivation=leaky\n",
      "[upsample]\nstride=2\n[maxpool]\nsize=2\nstride=2\n[dropout]\n",
      "[maxpool]\n[route]\nlayers=-1,0\ngroups=3\ngroup_id=2\n",
      "[route]\nlayers=0,0,0,0\n[reorg]\nstride=2\n", "[avgpool]\n",
    ]
    var texts = ["\(net)\(head)\(yolo)# end\n; end\n".replacing("num=3", with: "new_coords=1")]
    for part in layers {
      texts.append("\(net)[maxpool]\n\(part)\(head)\(yolo)")
      texts.append("\(net)[max]\n\(part)\(head)\(region)")
    }
    var seeds: [[UInt8]] = []
    for text in texts { for first: UInt8 in 0..<4 { seeds.append([first] + Array(text.utf8)) } }
    let header: [UInt8] = [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9]
    let weights = header + [UInt8](repeating: 0, count: 224)
    let plain = Array("\(net)\(head)\(yolo)".utf8)
    seeds.append([2] + plain + [0] + weights)
    return seeds
  }()
}
