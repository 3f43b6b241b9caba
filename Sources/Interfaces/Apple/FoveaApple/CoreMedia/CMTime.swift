// Fovea - times as fractions.
// SPDX-License-Identifier: Apache-2.0
internal import Foundation

public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32
public typealias CMTimeEpoch = Int64

public struct CMTimeFlags: OptionSet, Hashable, Codable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let valid = CMTimeFlags(rawValue: 1)
  public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
  public static let positiveInfinity = CMTimeFlags(rawValue: 4)
  public static let negativeInfinity = CMTimeFlags(rawValue: 8)
  public static let indefinite = CMTimeFlags(rawValue: 16)
}

/// A time: `value` parts of a second, of which there are `timescale`.
public struct CMTime: Codable, Sendable {
  public var value: CMTimeValue
  public var timescale: CMTimeScale
  public var flags: CMTimeFlags
  public var epoch: CMTimeEpoch

  public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
  }

  public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
    (self.value, self.timescale, self.flags, self.epoch) = (value, timescale, flags, epoch)
  }

  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    let value = (seconds * Double(preferredTimescale)).rounded(.toNearestOrEven)
    guard preferredTimescale > 0, !seconds.isNaN else {
      self = .invalid
      return
    }
    guard abs(value) < 9.2e18 else {
      self = seconds > 0 ? .positiveInfinity : .negativeInfinity
      return
    }
    self.init(value: CMTimeValue(value), timescale: preferredTimescale)
    if value != seconds * Double(preferredTimescale) { flags.insert(.hasBeenRounded) }
  }

  public static let zero = CMTime(value: 0, timescale: 1)
  public static let invalid = CMTime()
  public static let indefinite = CMTime(
    value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  public static let positiveInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  public static let negativeInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)

  public var isValid: Bool { flags.contains(.valid) }
  public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
  public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
  public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
  public var hasBeenRounded: Bool { flags.contains(.hasBeenRounded) }

  public var isNumeric: Bool {
    isValid && flags.isDisjoint(with: [.indefinite, .positiveInfinity, .negativeInfinity])
  }

  public var seconds: Double {
    if isPositiveInfinity { return .infinity }
    if isNegativeInfinity { return -.infinity }
    return isNumeric ? Double(value) / Double(timescale) : .nan
  }

  /// The time in other parts of a second, to the nearest.
  public func convertScale(_ newTimescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
    guard isNumeric, newTimescale > 0 else { return isNumeric ? .invalid : self }
    if newTimescale == timescale { return self }
    return CMTime(seconds: seconds, preferredTimescale: newTimescale)
  }

  private static func combine(
    _ left: CMTime, _ right: CMTime, _ sign: Int64
  ) -> CMTime {
    guard left.isNumeric, right.isNumeric else {
      if !left.isValid || !right.isValid { return .invalid }
      if !left.isNumeric { return left }
      if right.isPositiveInfinity { return sign > 0 ? right : .negativeInfinity }
      return right.isNegativeInfinity && sign < 0 ? .positiveInfinity : right
    }
    let scale = commonScale(left.timescale, right.timescale)
    let (a, b) = (left.inParts(scale), right.inParts(scale))
    let (value, overflow) = a.addingReportingOverflow(sign * b)
    return overflow ? .invalid : CMTime(value: value, timescale: scale)
  }

  private static func commonScale(_ a: CMTimeScale, _ b: CMTimeScale) -> CMTimeScale {
    var (x, y) = (a, b)
    while y != 0 { (x, y) = (y, x % y) }
    let (scale, overflow) = (a / x).multipliedReportingOverflow(by: b)
    return overflow ? max(a, b) : scale
  }

  private func inParts(_ scale: CMTimeScale) -> Int64 {
    let (whole, rest) = value.quotientAndRemainder(dividingBy: Int64(timescale))
    return whole &* Int64(scale) &+ rest &* Int64(scale) / Int64(timescale)
  }

  public static func + (left: CMTime, right: CMTime) -> CMTime { combine(left, right, 1) }
  public static func - (left: CMTime, right: CMTime) -> CMTime { combine(left, right, -1) }
}

public enum CMTimeRoundingMethod: UInt32, Sendable {
  case roundHalfAwayFromZero = 1
  case roundTowardZero, roundAwayFromZero, quickTime, roundTowardPositiveInfinity
  case roundTowardNegativeInfinity
  public static let `default` = CMTimeRoundingMethod.roundHalfAwayFromZero
}

extension CMTime: Comparable, Hashable {
  /// Finite times in order of their values; what is no number stands outside of them.
  private var place: (Int, Double) {
    if !isValid { return (3, 0) }
    if isIndefinite { return (2, 0) }
    return (0, seconds)
  }

  public static func == (left: CMTime, right: CMTime) -> Bool { left.place == right.place }
  public static func < (left: CMTime, right: CMTime) -> Bool { left.place < right.place }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(place.0)
    hasher.combine(place.1)
  }
}

/// A stretch of time.
public struct CMTimeRange: Hashable, Codable, Sendable {
  public var start: CMTime
  public var duration: CMTime

  public init() { (start, duration) = (.invalid, .invalid) }

  public init(start: CMTime, duration: CMTime) { (self.start, self.duration) = (start, duration) }

  public init(start: CMTime, end: CMTime) { (self.start, duration) = (start, end - start) }

  public var end: CMTime { start + duration }
  public var isValid: Bool { start.isValid && duration.isValid }
  public var isEmpty: Bool { isValid && duration == .zero }

  public func containsTime(_ time: CMTime) -> Bool { time >= start && time < end }

  public static let zero = CMTimeRange(start: .zero, duration: .zero)
  public static let invalid = CMTimeRange()
}

public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
  CMTime(value: value, timescale: timescale)
}

public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
  CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }

public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }

public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
  time1 < time2 ? -1 : (time1 == time2 ? 0 : 1)
}

public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
  CMTimeRange(start: start, duration: duration)
}
