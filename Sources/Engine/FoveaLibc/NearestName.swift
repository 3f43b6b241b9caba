// Fovea - the name that was probably meant.
// SPDX-License-Identifier: Apache-2.0

/// The one of some names that a word was probably meant to be; `nil` where none is near.
///
/// Letters that are missing, wrong, too many or swapped with their neighbor count one each; upper
/// case counts nothing. At most a third of the letters may be so. The first of equally near names is
/// taken.
///
/// - Complexity: O(n m^2), for n names of m letters.
package func nearestName(to word: String, among names: some Sequence<String>) -> String? {
  let wanted = Array(word.lowercased().utf8)
  // A name that somebody types; a longer word would take long.
  guard (2...64).contains(wanted.count) else { return nil }
  var best: (name: String, distance: Int)?
  for name in names {
    let letters = Array(name.lowercased().utf8)
    guard abs(letters.count - wanted.count) <= wanted.count / 3 else { continue }
    let distance = editDistance(wanted, letters)
    if distance < best?.distance ?? (max(wanted.count, 3) / 3 + 1) { best = (name, distance) }
  }
  return best?.name
}

/// Words behind an error: "; did you mean 'detect'?", or none.
package func suggestion(for word: String, among names: some Sequence<String>) -> String {
  nearestName(to: word, among: names).map { "; did you mean '\($0)'?" } ?? ""
}

/// The least number of letters to insert, delete, replace or swap with their neighbor (the optimal
/// string alignment distance).
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var older: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var least = min(last[j + 1], row[j]) + 1
      least = min(least, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, older[j - 1] + 1) }
      row.append(least)
    }
    (older, last) = (last, row)
  }
  return last[b.count]
}
