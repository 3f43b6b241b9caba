// Fovea - waiting for what another process does.
// SPDX-License-Identifier: Apache-2.0
import FoveaLibc

/// Looks every 10 milliseconds whether something has happened, for a minute at most.
///
/// - Returns: Whether it has happened.
public func waitUntil(_ hasHappened: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<6000 {
    if try hasHappened() { return true }
    MonotonicClock.sleep(milliseconds: 10)
  }
  return false
}
