// Fovea - rows and columns paired so that the sum of their costs is least.
// SPDX-License-Identifier: Apache-2.0

/// Pairs rows with columns of a matrix of costs, so that the sum of the paired costs is least.
///
/// The method is that of shortest augmenting paths (Jonker and Volgenant, in the form of Crouse,
/// "On implementing 2D rectangular assignment algorithms", 2016). Of several best answers it gives
/// the one that SciPy gives: rows are placed one after another, and free columns come first where
/// costs are equal. Memory is kept from one call to the next.
package struct AssignmentSolver: Sendable {
  /// The column of each row, or -1 where there are fewer columns than rows.
  package private(set) var columnOfRow: [Int] = []

  /// The following are of the smaller side ("lines") and of the larger one ("places").
  private var placeOfLine: [Int] = []
  private var lineOfPlace: [Int] = []
  private var previous: [Int] = []
  private var remaining: [Int] = []
  private var lineWasSeen: [Bool] = []
  private var placeWasSeen: [Bool] = []
  private var linePrices: [Double] = []
  private var placePrices: [Double] = []
  private var distances: [Double] = []

  /// Creates a solver without memory.
  package init() {}

  /// Pairs `rows` with `columns` and leaves the result in `columnOfRow`.
  ///
  /// Takes at most O(n² m) steps for n of the smaller side and m of the larger one.
  ///
  /// - Parameter costs: Row after row, all finite.
  package mutating func solve(_ costs: [Double], rows: Int, columns: Int) {
    precondition(costs.count >= rows * columns, "an assignment needs a cost for every pair")
    let isTransposed = columns < rows
    let (lines, places) = isTransposed ? (columns, rows) : (rows, columns)
    prepare(lines: lines, places: places)
    let (lineStep, placeStep) = isTransposed ? (1, columns) : (columns, 1)
    for line in 0..<lines {
      place(line, costs, lineStep: lineStep, placeStep: placeStep)
    }
    columnOfRow.refill(-1, count: rows)
    for line in 0..<lines {
      if isTransposed {
        columnOfRow[placeOfLine[line]] = line
      } else {
        columnOfRow[line] = placeOfLine[line]
      }
    }
  }

  private mutating func prepare(lines: Int, places: Int) {
    placeOfLine.refill(-1, count: lines)
    lineOfPlace.refill(-1, count: places)
    previous.refill(-1, count: places)
    linePrices.refill(0, count: lines)
    placePrices.refill(0, count: places)
  }

  /// Finds a place for a line; others may have to move.
  private mutating func place(_ line: Int, _ costs: [Double], lineStep: Int, placeStep: Int) {
    let (end, length) = shortestPath(
      from: line, costs, lineStep: lineStep, placeStep: placeStep)
    linePrices[line] += length
    for other in linePrices.indices where lineWasSeen[other] && other != line {
      linePrices[other] += length - distances[placeOfLine[other]]
    }
    for place in placePrices.indices where placeWasSeen[place] {
      placePrices[place] -= length - distances[place]
    }
    var place = end
    while true {
      let owner = previous[place]
      lineOfPlace[place] = owner
      swap(&placeOfLine[owner], &place)
      if owner == line { return }
    }
  }

  /// The nearest free place, and how far it is.
  private mutating func shortestPath(
    from start: Int, _ costs: [Double], lineStep: Int, placeStep: Int
  ) -> (end: Int, length: Double) {
    let count = lineOfPlace.count
    lineWasSeen.refill(false, count: placeOfLine.count)
    placeWasSeen.refill(false, count: count)
    distances.refill(.infinity, count: count)
    // From the last place to the first, so that equal costs give the diagonal.
    remaining.removeAll(keepingCapacity: true)
    for place in stride(from: count - 1, through: 0, by: -1) { remaining.append(place) }
    var line = start
    var length = 0.0
    while true {
      lineWasSeen[line] = true
      var best = 0
      var lowest = Double.infinity
      for index in remaining.indices {
        let place = remaining[index]
        let cost = costs[line * lineStep + place * placeStep]
        let distance = length + cost - linePrices[line] - placePrices[place]
        if distance < distances[place] {
          previous[place] = line
          distances[place] = distance
        }
        let known = distances[place]
        if known < lowest || (known == lowest && lineOfPlace[place] < 0) {
          lowest = known
          best = index
        }
      }
      length = lowest
      let place = remaining[best]
      placeWasSeen[place] = true
      if lineOfPlace[place] < 0 { return (place, length) }
      line = lineOfPlace[place]
      remaining.swapAt(best, remaining.count - 1)
      remaining.removeLast()
    }
  }
}

extension Array {
  /// Makes the array `count` times `element`, in the memory that it has if that is enough.
  fileprivate mutating func refill(_ element: Element, count: Int) {
    removeAll(keepingCapacity: true)
    append(contentsOf: repeatElement(element, count: count))
  }
}
