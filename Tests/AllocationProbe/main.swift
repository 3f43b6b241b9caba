// Fovea - what loading and running a model takes from the heap, counted.
// SPDX-License-Identifier: Apache-2.0
//
// AllocationProbe MODEL BACKEND THREADS prints one line of numbers:
//   planned WEIGHTS ARENA SESSION held MODEL SESSION peak RUN allocations FIRST LATER left GROWTH
// planned: bytes that the model announces. held: heap bytes that are still there after loading the
// model, and then after making a session. peak: heap bytes at the worst moment of 10 runs, above what
// the process had before the model. allocations: in the first run, and in the nine after it. left:
// heap bytes that ten times loading, running and freeing leave behind, after two times to warm up.
import CAllocationCounter
#if canImport(Glibc)
  import Glibc
#endif
import FoveaRuntime

let arguments = CommandLine.arguments
guard arguments.count == 4, let backend = Backend(rawValue: arguments[2]),
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
