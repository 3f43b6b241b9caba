// Fovea - changes that belong together, and the clock of layers.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import Foundation

public let kCATransactionDisableActions = "kCATransactionDisableActions"
public let kCATransactionAnimationDuration = "kCATransactionAnimationDuration"
public let kCATransactionAnimationTimingFunction = "kCATransactionAnimationTimingFunction"
public let kCATransactionCompletionBlock = "kCATransactionCompletionBlock"

/// Changes that belong together. Every change of a layer holds at once, so that what is set here is
/// kept for those who ask, and completion blocks run when the changes are committed.
public final class CATransaction: NSObject {
  private final class Level {
    var values: [String: Any] = [:]
    var completion: (() -> Void)?
  }

  private static let key = "CATransaction"

  /// The levels of the calling thread; the first is that outside of all.
  private static var levels: [Level] {
    get { Thread.current.threadDictionary[key] as? [Level] ?? [Level()] }
    set { Thread.current.threadDictionary[key] = newValue }
  }

  private static func change(_ body: (Level) -> Void) {
    let levels = levels
    if let last = levels.last { body(last) }
    self.levels = levels
  }

  public class func begin() { levels.append(Level()) }

  public class func commit() {
    var all = levels
    guard all.count > 1, let last = all.popLast() else { return flush() }
    levels = all
    last.completion?()
  }

  /// Commits what stands outside of all transactions.
  public class func flush() {
    let all = levels
    guard all.count == 1, let completion = all[0].completion else { return }
    all[0].completion = nil
    completion()
  }

  public class func setValue(_ anObject: Any?, forKey key: String) {
    if key == kCATransactionCompletionBlock {
      return setCompletionBlock(anObject as? () -> Void)
    }
    change { $0.values[key] = anObject }
  }

  /// The value of the innermost transaction that has one.
  public class func value(forKey key: String) -> Any? {
    levels.reversed().lazy.compactMap { $0.values[key] }.first
  }

  public class func disableActions() -> Bool {
    switch value(forKey: kCATransactionDisableActions) {
    case let flag as Bool: flag
    case let number as NSNumber: number.boolValue
    default: false
    }
  }

  public class func setDisableActions(_ flag: Bool) {
    setValue(flag, forKey: kCATransactionDisableActions)
  }

  public class func animationDuration() -> CFTimeInterval {
    (value(forKey: kCATransactionAnimationDuration) as? CFTimeInterval) ?? 0.25
  }

  public class func setAnimationDuration(_ dur: CFTimeInterval) {
    setValue(dur, forKey: kCATransactionAnimationDuration)
  }

  public class func completionBlock() -> (() -> Void)? { levels.last?.completion }

  public class func setCompletionBlock(_ block: (() -> Void)?) {
    change { $0.completion = block }
  }
}

/// Seconds of a clock that only goes forward.
public func CACurrentMediaTime() -> CFTimeInterval {
  Double(DispatchTime.now().uptimeNanoseconds) / 1e9
}
