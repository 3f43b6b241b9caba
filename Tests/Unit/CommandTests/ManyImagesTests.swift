// Fovea - tests of a large job on photographs.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

/// 2,000 photographs, 20 of them broken: minutes, so before a release.
@Suite(.enabled(if: TestTier.isThorough && SharedData.isPresent), .serialized)
struct ManyImagesTests {
  static let model = SharedData.url("models/yolo-fastest-1.1-xl-Int8LUT.mlmodel").path

  /// Lines of the shell that make the photographs in a folder of their own.
  private static func preparation(in folder: TemporaryFolder, count: Int) -> String {
    """
    set -e
    cd '\(folder.url.path)'
    images=('\(SharedData.url("coco128-train/images").path)'/*)
    for ((i = 0; i < \(count); i++)); do
      source="${images[i % ${#images[@]}]}"
      if ((i % 100 == 37)); then head -c $((i + 20)) "$source" >$i.jpg; else cp "$source" $i.jpg; fi
      echo $i.jpg
    done >list.txt
    detect() { "$FOVEA" detect --model '\(model)' --backend int8 "$@"; }

    """
  }

  @Test func killedInTheMiddleAndStartedAgain() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let run = try CommandRun.shell(
      Self.preparation(in: folder, count: 2000) + """
        "$FOVEA" detect --model '\(Self.model)' --backend int8 --list list.txt --jsonl out.jsonl &
        until [ "$(cat out.jsonl 2>/dev/null | wc -l)" -ge 900 ]; do sleep 0.05; done
        kill -9 $!
        wait || true
        truncate -s -40 out.jsonl
        detect --list list.txt --jsonl out.jsonl
        """)
    try #require(run.status == 0, "\(run.errors)")
    let text = try String(contentsOfFile: folder.path("out.jsonl"), encoding: .utf8)
    let rows = try DetectListTests.rows(text)
    #expect(rows.map { $0["path"] as? String } == (0..<2000).map { "\($0).jpg" })
    let failed = rows.indices.filter { !(rows[$0]["error"] is NSNull) }
    #expect(failed == (0..<2000).filter { $0 % 100 == 37 })
  }

  /// Seconds of the processor for the same photographs, by rounds of both.
  @Test func costsNoMoreThanAPlainLoop() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let run = try CommandRun.shell(
      Self.preparation(in: folder, count: 400) + """
        set +e
        TIMEFORMAT='%U %S'
        for round in 1 2 3; do
          rm -f out.jsonl
          { time detect --threads 1 --json $(cat list.txt) >plain.json 2>/dev/null; } 2>&1
          { time detect --list list.txt --jsonl out.jsonl >/dev/null; } 2>&1
        done
        """)
    let seconds = run.output.split(separator: "\n").map { line in
      line.split(separator: " ").compactMap { Double($0) }.reduce(0, +)
    }
    try #require(seconds.count == 6, "\(run.output) \(run.errors)")
    let plain = try #require(stride(from: 0, to: 6, by: 2).map { seconds[$0] }.min())
    let list = try #require(stride(from: 1, to: 6, by: 2).map { seconds[$0] }.min())
    #expect(list < plain * 1.1, "\(list) s for the list, \(plain) s for the loop")
  }
}
