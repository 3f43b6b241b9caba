// Fovea - what loading and running a model takes from the heap, counted.
// SPDX-License-Identifier: Apache-2.0
//
// AllocationProbe MODEL BACKEND THREADS prints one line of numbers:
//   planned WEIGHTS ARENA SESSION held MODEL SESSION peak RUN allocations FIRST LATER left GROWTH
// AllocationProbe postprocessing prints what decoding and suppression take: allocations FIRST LATER.
// AllocationProbe following prints what following an object takes: allocations CREATION LATER.
// AllocationProbe tracking prints the same of 13 objects that are tracked and counted, before and
// after 200 frames.
// planned: bytes that the model announces. held: heap bytes that are still there after loading the
// model, and then after making a session. peak: heap bytes at the worst moment of 10 runs, above what
// the process had before the model. allocations: in the first run, and in the nine after it. left:
// heap bytes that ten times loading, running and freeing leave behind, after two times to warm up.
import CAllocationCounter
import FoveaInspection
import FoveaLibc
import FoveaRuntime
import FoveaTracking
import FoveaVision

/// Calls of the allocator for the first of ten images, and for the nine after it.
func countPostprocessing() throws -> (first: Int, later: Int) {
  let decoder = ConfidenceCoordinatesDecoder(
    classCount: 20,
    settings: try DetectionSettings(
      minimumConfidence: 0.5, iouThreshold: 0.45, candidateRule: .multiLabel))
  // Boxes overlap several others, and have scores on both sides of the threshold.
  let confidence = (0..<1000 * 20).map { Float($0 * 7919 % 1009) / 1009 }
  let coordinates = (0..<1000).flatMap { row -> [Float] in
    [Float(row * 31 % 997) / 997, Float(row * 389 % 991) / 991, 0.1, 0.1]
  }
  let candidates = DetectionCandidates()
  var calls: [Int] = []
  for _ in 0..<10 {
    let start = allocation_counter_read().calls
    try decoder.findSurvivors(
      in: candidates, confidence: confidence.span, coordinates: coordinates.span)
    calls.append(allocation_counter_read().calls - start)
  }
  guard candidates.count > 5000, candidates.survivors.count > 1000 else {
    fatalError("the images have too few candidates to tell")
  }
  return (calls[0], calls.dropFirst().reduce(0, +))
}

/// Calls of the allocator for the first 200 frames of 13 objects, and for the 800 after them. Each
/// object is missed now and then, in turn, so that every round has something to do. Every 100 frames
/// all of them jump back, which begins new tracks.
func countTracking() -> (first: Int, later: Int) {
  var tracker = ObjectTracker()
  var counter = ObjectCounter(
    lines: [
      CountingLine(
        name: "line", start: CountingPoint(x: 0, y: 300), end: CountingPoint(x: 1500, y: 150))
    ],
    zones: [
      CountingZone(
        name: "zone",
        corners: [
          CountingPoint(x: 0, y: 0), CountingPoint(x: 900, y: 0), CountingPoint(x: 600, y: 400),
        ])
    ])
  var detections: [TrackingDetection] = []
  detections.reserveCapacity(16)
  var calls = (first: 0, later: 0)
  for frame in 0..<1000 {
    detections.removeAll(keepingCapacity: true)
    for object in 0..<13 where (frame / 4 + object) % 9 != 0 {
      let x = 100 * Double(object) + Double(frame % 100)
      detections.append(
        TrackingDetection(
          box: TrackingBox(x: x, y: 200, width: 40, height: 90),
          score: (frame + object) % 3 == 0 ? 0.3 : 0.9))
    }
    let start = allocation_counter_read().calls
    tracker.update(detections, seconds: Double(frame) / 25)
    counter.update(tracker.objects, seconds: Double(frame) / 25)
    let count = allocation_counter_read().calls - start
    if frame < 200 { calls.first += count } else { calls.later += count }
  }
  let counts = (counter.lineTallies[0].total, counter.zoneTallies[0].total)
  guard tracker.objects.count > 8, counts.0.toLeft + counts.0.toRight > 0, counts.1.entered > 0
  else { fatalError("too few objects are tracked and counted to tell") }
  return calls
}

let arguments = CommandLine.arguments
if arguments.dropFirst() == ["tracking"] {
  let counts = countTracking()
  print(allocation_counter_works() ? "allocations \(counts.first) \(counts.later)" : "uncounted")
  exit(0)
}
if arguments.dropFirst() == ["postprocessing"] {
  let counts = try countPostprocessing()
  print(allocation_counter_works() ? "allocations \(counts.first) \(counts.later)" : "uncounted")
  exit(0)
}
if arguments.dropFirst() == ["following"] {
  let counts = try countFollowing()
  print(allocation_counter_works() ? "allocations \(counts.creation) \(counts.later)" : "uncounted")
  exit(0)
}
/// "coded" is float with weights that stay codes.
func backendOptions(_ name: String) -> BackendOptions? {
  name == "coded" ? .float(weights: .coded) : Backend(rawValue: name).map { BackendOptions($0) }
}
guard arguments.count == 4, let backend = backendOptions(arguments[2]),
  let threads = Int(arguments[3])
else { fatalError("usage: AllocationProbe MODEL BACKEND THREADS") }
guard allocation_counter_works() else {
  print("uncounted")
  exit(0)
}

let pool = try ThreadPool(threadCount: threads)
let before = allocation_counter_read().live_bytes
let model = try Model(contentsOf: arguments[1], options: Model.Options(backend: backend))
let afterModel = allocation_counter_read().live_bytes
let session = try Session(model: model, pool: pool)
let afterSession = allocation_counter_read().live_bytes

allocation_counter_mark()
var calls: [Int] = []
for _ in 0..<10 {
  let start = allocation_counter_read().calls
  session.run()
  calls.append(allocation_counter_read().calls - start)
}
let peak = allocation_counter_read().peak_bytes
func loadRunAndFree() throws {
  let model = try Model(contentsOf: arguments[1], options: Model.Options(backend: backend))
  try Session(model: model, pool: pool).run()
}
for _ in 0..<2 { try loadRunAndFree() }
let warm = allocation_counter_read().live_bytes
for _ in 0..<10 { try loadRunAndFree() }
let growth = Int(allocation_counter_read().live_bytes) - Int(warm)
print(
  "planned", model.memory.weightBytes, model.memory.arenaBytes, model.memory.sessionBytes,
  "held", afterModel - before, afterSession - afterModel, "peak", peak - before,
  "allocations", calls[0], calls.dropFirst().reduce(0, +), "left", growth)
