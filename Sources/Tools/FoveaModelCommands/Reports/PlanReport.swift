// Fovea - what fovea inspect --plan says: where results lie in memory, and for how long.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaInspection

/// Where every result lies in the arena, and from which layer to which.
struct PlanReport: Encodable {
  var arenaBytes: Int
  var layerCount: Int
  /// In the order in which layers run.
  var blocks: [Block]

  /// The result of a layer, or its workspace.
  struct Block: Encodable {
    var layer: Int
    var label: String
    /// "float32", "uint8 channels last" or "workspace".
    var kind: String
    /// The first and the last layer during which it is in use; the number of layers for what the
    /// caller reads.
    var first: Int
    var last: Int
    var offset: Int
    var bytes: Int
  }
}

extension PlanReport {
  init(_ model: Model) {
    let nodes = model.nodes
    arenaBytes = model.memory.arenaBytes
    layerCount = nodes.count
    blocks = nodes.enumerated().flatMap { index, node in
      var blocks: [Block] = []
      if node.outputBytes > 0 {
        blocks.append(
          Block(
            layer: index, label: node.label,
            kind: node.outputType.rawValue + (node.isChannelsLast ? " channels last" : ""),
            first: index, last: max(index, node.lastReader), offset: node.arenaOffset,
            bytes: node.outputBytes))
      }
      if node.workspaceBytes > 0 {
        blocks.append(
          Block(
            layer: index, label: node.label, kind: "workspace", first: index, last: index,
            offset: node.workspaceOffset, bytes: node.workspaceBytes))
      }
      return blocks
    }
  }

  /// The plan for people.
  var text: String {
    var table = TextTable([
      .right("layer"), .left("label"), .left("kind"), .right("until"), .right("offset"),
      .right("bytes"), .right("live bytes"),
    ])
    for block in blocks {
      let last = block.last >= layerCount ? "end" : "\(block.last)"
      table.rows.append([
        "\(block.layer)", block.label, block.kind, last, "\(block.offset)", "\(block.bytes)",
        "\(liveBytes(at: block.first))",
      ])
    }
    let peak = (0..<layerCount).map(liveBytes).max() ?? 0
    return "plan of the arena:\n" + table.text(indentation: 2)
      + "arena \(arenaBytes) bytes; at most \(peak) bytes of results and workspace live at a time\n"
  }

  /// The bytes in use while a layer runs, each place counted once.
  private func liveBytes(at layer: Int) -> Int {
    let places = blocks.filter { $0.first <= layer && layer <= $0.last }
      .map { $0.offset..<$0.offset + $0.bytes }.sorted { $0.lowerBound < $1.lowerBound }
    var end = 0, sum = 0
    for place in places where place.upperBound > end {
      sum += place.upperBound - max(end, place.lowerBound)
      end = place.upperBound
    }
    return sum
  }
}
