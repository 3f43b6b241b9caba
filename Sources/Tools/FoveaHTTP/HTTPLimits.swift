// Fovea - what clients may ask a server to hold.
// SPDX-License-Identifier: Apache-2.0

/// What clients may ask a server to hold.
package struct HTTPLimits: Hashable, Sendable {
  /// The most connections at one time. Where three quarters of them are taken, the oldest that has no
  /// whole request ends for each new one.
  package var connections = 512
  /// The most bytes of a request's line and headers.
  package var headerBytes = 32 << 10
  /// The most bytes of a body.
  package var bodyBytes = 32 << 20
  /// The most bytes of all bodies that are held at one time.
  package var allBodyBytes = 256 << 20
  /// The most parts of a form.
  package var formParts = 32
  /// The longest that a body may take, in seconds.
  package var bodySeconds = 30.0
  /// The longest that a connection may rest, in seconds. Clients that keep one find it closed in the
  /// middle of a request where this is short.
  package var idleSeconds = 75

  package init() {}
}
