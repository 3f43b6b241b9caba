// Fovea - the lengths of runs, for masks in tests.
// SPDX-License-Identifier: Apache-2.0

/// The lengths of runs of equal elements, the first of `false`, as COCO writes masks.
public func runLengths(of elements: some Sequence<Bool>) -> [Int] {
  var (lengths, run, isInside) = ([Int](), 0, false)
  for isSet in elements {
    if isSet != isInside {
      lengths.append(run)
      (run, isInside) = (0, isSet)
    }
    run += 1
  }
  return lengths + [run]
}
