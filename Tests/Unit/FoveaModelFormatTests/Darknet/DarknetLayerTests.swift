// Fovea - tests: layers of Darknet, their defaults and their shapes.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import Testing

struct DarknetLayerTests {
  /// A network of some layers and a head behind a convolution.
  private func example(
    _ layers: String, channels: Int = 3, floats: Int = 0
  ) -> DarknetExample {
    DarknetExample(
      layers: layers + DarknetExample.toHead,
      floats: floats + DarknetExample.headFloats(channels))
  }

  @Test func convolutionHasDarknetsDefaults() throws {
    // One filter of 1x1 and the logistic function.
    let operations = try example("[convolutional]\n", channels: 1, floats: 1 + 3).operations()
    #expect(operations.map(\.kind).prefix(5) == ["mul", "const", "const", "conv", "sigmoid"])
  }

  @Test(arguments: [
    ("size=3\nstride=2\npad=1", 16, 32), ("size=3\nstride=2\npadding=2", 17, 33),
    ("size=3", 30, 62), ("size=4\npad=1\npadding=9", 33, 65), ("size=3\nstride_x=2\npad=1", 32, 32),
    ("size=5\ndilation=3\npad=1", 32, 64), ("stride=3\nstride_y=1\nstride_x=0", 0, 0),
  ])
  func convolutionsHaveDarknetsShapes(options: String, height: Int, width: Int) throws {
    let size = Int(String(options.drop { !$0.isNumber }.prefix(1))) ?? 1
    let kernel = options.hasPrefix("size") ? size * size : 1
    let example = example(
      "[convolutional]\nfilters=2\nbatch_normalize=1\nactivation=leaky\n\(options)\n", channels: 2,
      floats: 4 * 2 + 2 * 3 * kernel)
    if height == 0 {
      #expect(try formatError { _ = try example.model() }.found == "stride_x=0")
    } else {
      let shapes = try example.shapes()
      #expect(shapes["convolutional_0"] == [1, 2, height, width])
      #expect(shapes["convolutional_0_normalized_leaky"] == [1, 2, height, width])
    }
  }

  @Test func arraysAreTakenInDarknetsOrder() throws {
    let example = example(
      "[convolutional]\nbatch_normalize=1\nfilters=6\ngroups=3\nsize=3\npad=1\n", channels: 6,
      floats: 4 * 6 + 6 * 9)
    let stored = example.weights.dropFirst(20)
    let operations = try example.operations()
    let norm = try #require(operations.first { $0.kind == "batch_norm" })
    let convolution = try #require(operations.first { $0.kind == "conv" })
    let starts = [
      (norm, "beta", 0, 6), (norm, "gamma", 6, 6), (norm, "mean", 12, 6),
      (norm, "variance", 18, 6), (convolution, "weight", 24, 54),
    ]
    for (operation, argument, start, count) in starts {
      guard case .value(let name)? = operation.arguments[argument]?.first,
        case .constant(let constant)? = operations.first(where: { $0.results[0].name == name })?
          .arguments["val"]?.first,
        case .bytes(let bytes) = constant.content
      else { throw Missing(what: argument) }
      let from = stored.startIndex + 4 * start
      #expect(bytes.array == Array(stored[from..<from + 4 * count]), "\(argument)")
    }
    #expect(convolution.arguments["bias"] == nil)
  }

  @Test(arguments: [
    ("size=2\nstride=2", 16, 32, [0, 0, 0, 0]), ("size=2\nstride=1", 32, 64, [0, 1, 0, 1]),
    ("size=5\nstride=1", 32, 64, [2, 2, 2, 2]), ("stride=2", 16, 32, [0, 0, 0, 0]),
    ("size=3\nstride=2", 16, 32, [1, 0, 1, 0]),
    ("size=2\nstride=2\npadding=0", 16, 32, [0, 0, 0, 0]),
    ("size=2\nstride=2\npadding=2", 17, 33, [1, 1, 1, 1]), ("", 32, 64, [0, 0, 0, 0]),
  ])
  func maximaBeginWhereDarknetBeginsThem(
    options: String, height: Int, width: Int, pad: [Int]
  ) throws {
    let example = example("[maxpool]\n\(options)\n")
    let pool = try #require(try example.operations().first { $0.kind == "max_pool" })
    #expect(pool.arguments["pad"] == [.integers(pad)])
    #expect(try example.shapes()["maxpool_0"] == [1, 3, height, width])
  }

  @Test func routesCountFromTheFrontAndBack() throws {
    let pooled = "[maxpool]\nsize=2\nstride=2\n[max]\n[route]\n"
    let cases = [
      ("layers=-1,-2", [1, 6, 16, 32]), ("layers=1, 0", [1, 6, 16, 32]),
      ("layers=0,1\ngroups=3\ngroup_id=2", [1, 2, 16, 32]),
      ("layers=0,1\ngroups=2\ngroup_id=1", [1, 2, 16, 32]),
    ]
    for (options, shape) in cases {
      let example = example(pooled + options + "\n", channels: shape[1])
      #expect(try example.shapes()["route_2"] == shape, "\(options)")
    }
    // One source is the source itself.
    #expect(try example(pooled + "layers=-2\n").shapes()["route_2"] == nil)
    for options in ["layers=2", "layers=-3", "layers=-9223372036854775808", "groups=2"] {
      let example = example(pooled + options + "\n")
      #expect(throws: ModelFormatError.self, "\(options)") { try example.model() }
    }
  }

  @Test func partsAreThoseOfEachSource() throws {
    let example = example(
      "[maxpool]\n[maxpool]\n[route]\nlayers=0,1\ngroups=3\ngroup_id=2\n", channels: 2)
    let parts = try example.operations().filter { $0.kind == "slice_by_size" }.prefix(2)
    #expect(parts.map { $0.arguments["x"] } == [[.value("maxpool_0")], [.value("maxpool_1")]])
    #expect(parts.allSatisfy { $0.arguments["begin"] == [.integers([0, 2, 0, 0])] })
  }

  @Test func productsReadAnEarlierLayer() throws {
    let sam = try example("[maxpool]\n[maxpool]\n[sam]\nfrom=-2\nactivation=leaky\n").operations()
    let product = try #require(sam.first { $0.results[0].name == "sam_2" })
    #expect(product.kind == "mul")
    #expect(product.arguments["x"] == [.value("maxpool_0")])
    #expect(product.arguments["y"] == [.value("maxpool_1")])
    #expect(sam.map(\.kind).contains(["mul", "leaky_relu"]))
    let scaled = example("[maxpool]\n[avgpool]\n[scale_channels]\nfrom=0\n")
    #expect(try scaled.shapes()["scale_channels_2"] == [1, 3, 32, 64])
    let plane = "[convolutional]\nfilters=1\n[scale_channels]\nfrom=0\nscale_wh=1\n"
    #expect(
      try example("[maxpool]\n" + plane, floats: 4).shapes()["scale_channels_2"]
        == [1, 3, 32, 64])
    for (layers, words) in [
      ("[maxpool]\n[avgpool]\n[sam]\nfrom=0\n", "planes of one size"),
      ("[maxpool]\n[maxpool]\n[scale_channels]\nfrom=0\n", "one number for each channel"),
      ("[maxpool]\n[avgpool]\n[scale_channels]\nfrom=0\nscale_wh=1\n", "one plane"),
      ("[maxpool]\n[sam]\n", "from=-2"), ("[maxpool]\n[sam]\nfrom=0,0\n", "from=-2"),
    ] {
      let error = try formatError { _ = try self.example(layers).model() }
      #expect(error.expected.contains(words), "\(error)")
    }
  }

  @Test func shortcutsAddSeveralLayers() throws {
    let example = example(
      "[maxpool]\n[maxpool]\n[maxpool]\n[shortcut]\nfrom=-2,0\nactivation=leaky\n")
    let kinds = try example.operations().map(\.kind)
    #expect(kinds.contains(["max_pool", "add", "add", "leaky_relu"]))
    for options in ["from=-1\nweights_type=per_channel", "activation=linear", "from=5"] {
      #expect(throws: ModelFormatError.self, "\(options)") {
        try self.example("[maxpool]\n[shortcut]\n\(options)\n").model()
      }
    }
  }

  @Test func otherLayersHaveDarknetsShapes() throws {
    let shapes = try example(
      "[upsample]\n[upsample]\nstride=3\nscale=0.5\n[dropout]\nprobability=.5\n[avgpool]\n"
    ).shapes()
    #expect(shapes["upsample_0"] == [1, 3, 64, 128])
    #expect(shapes["upsample_1_scaled"] == [1, 3, 192, 384])
    #expect(shapes["avgpool_3"] == [1, 3, 1, 1])
    let reorg = try example(
      "[route]\nlayers=0\n".replacing("route", with: "maxpool")
        + "[route]\nlayers=0,0,0,0\n[reorg]\nstride=2\n", channels: 48
    ).shapes()
    #expect(reorg["reorg_2"] == [1, 48, 16, 32])
  }

  @Test func layersMayNotReadHeads() throws {
    let head = "[yolo]\nmask=0,1\nanchors=1,2,3,4\nclasses=2\n"
    for next in ["[maxpool]\n", "[route]\nlayers=-1\n", "[shortcut]\nfrom=0\n"] {
      let example = DarknetExample(
        layers: DarknetExample.toHead + head + next, head: "", floats: DarknetExample.headFloats())
      let error = try formatError { _ = try example.model() }
      #expect(error.found.contains("reads the boxes of layer 1"), "\(error)")
    }
  }
}
