// Fovea - the C library of the system, whatever it is called there.
// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Android)
  @_exported public import Android
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif
