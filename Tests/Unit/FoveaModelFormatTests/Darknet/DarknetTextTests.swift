// Fovea - tests: how the text of a Darknet network is read.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import Testing

struct DarknetTextTests {
  private let plain = DarknetExample(
    layers: DarknetExample.toHead, floats: DarknetExample.headFloats())

  private func written(_ change: (inout DarknetExample) -> Void) -> DarknetExample {
    var example = plain
    change(&example)
    return example
  }

  @Test func blanksAndCommentsDoNotCount() throws {
    let example = written {
      $0.net = "  # first\n\n\t; second\r\n [ net ] \r\n width = 6 4\r\n\theight= 32\nchannels=3"
      $0.net += "# colors\n"
      $0.layers = "[ conv ]\n fil ters = 14 # of two anchors\nactivation = linear\n"
      $0.head = "[yolo]\nmask = 0, 1 # and no 2,3\nanchors = 8,16 , 16,8, 4,4,\nclasses=2 ; x\n"
    }
    #expect(try example.operations() == plain.operations())
  }

  @Test func lastOfEqualKeysCounts() throws {
    let example = written {
      $0.layers = $0.layers.replacing("filters=14", with: "filters=3\nfilters=14")
    }
    #expect(try example.operations() == plain.operations())
  }

  @Test func numbersEndWhereCWouldEndThem() throws {
    let example = written {
      $0.net = $0.net.replacing("64", with: "+64.9px")
      $0.layers = $0.layers.replacing("14", with: "14abc")
      $0.head = $0.head.replacing("8,16, 16,8, 4,4", with: "8.,1.6e1x, +16,8e0, .4e+1,4e")
    }
    #expect(try example.operations() == plain.operations())
  }

  @Test(arguments: ["network", "net"])
  func networkHasTwoNames(_ name: String) throws {
    let example = written { $0.net = $0.net.replacing("net", with: name) }
    #expect(try example.operations() == plain.operations())
  }

  @Test func wrongLinesAreNamed() throws {
    let cases: [(String, Int, String)] = [
      ("[net\n", 5, "[net"), ("filters 3\n", 5, "filters3"), ("=3\n", 5, "=3"),
      ("[frobnicate]\n", 5, "frobnicate"), ("[conv]\nfilters=many\n", 6, "many"),
      ("[conv]\nfilters=-\n", 6, "-"), ("[conv]\nfilters=99999999999999999999\n", 6, "9999"),
      ("[conv]\nsize=0\n", 6, "size=0"), ("[conv]\nactivation=leaky#\n", 6, "leaky#"),
      ("[upsample]\nscale=nan\n", 6, "nan"), ("[upsample]\nscale=1e999\n", 6, "inf"),
      ("[connected]\n", 5, "connected"), ("[conv]\nbinary=1\n", 6, "binary=1"),
    ]
    for (text, line, words) in cases {
      let example = written { $0.layers = text + $0.layers }
      let error = try formatError { _ = try example.model() }
      #expect(error.fieldPath == "line \(line) of tiny.cfg", "\(text): \(error)")
      #expect(error.found.contains(words), "\(text): \(error)")
    }
  }

  @Test func optionsBeforeTheFirstSectionAreRefused() throws {
    let error = try formatError {
      _ = try ModelDescription(
        darknetLayers: Array("width=3\n[net]\n".utf8), weights: [], fileName: "a.cfg",
        folder: EmptyFolder(), size: nil, limits: ReadingLimits())
    }
    #expect(error.fieldPath == "line 1 of a.cfg")
  }

  @Test func limitsHold() throws {
    var limits = ReadingLimits()
    limits.layers = 2
    let error = try formatError { _ = try plain.model(limits: limits) }
    #expect(error.code == .limitExceeded)
    limits = ReadingLimits()
    limits.imagePixels = 100
    #expect(try formatError { _ = try plain.model(limits: limits) }.code == .limitExceeded)
    // Channels that double with every layer.
    let doubling = written {
      $0.layers = String(repeating: "[route]\nlayers=-1,-1\n", count: 60)
      $0.layers = "[maxpool]\n" + $0.layers
    }
    #expect(try formatError { _ = try doubling.model() }.code == .limitExceeded)
  }
}
