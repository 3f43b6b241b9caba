// Fovea - the screen that views are laid out for, and what it is like.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The screen of the environment variable `FOVEA_SCREEN`, such as `390x844` or `390x844@3`.
struct ScreenSetting: Sendable {
  let size: CGSize
  /// Pixels in a point: 1 unless the variable says otherwise, so that pictures keep their size.
  let scale: CGFloat

  static let current = ScreenSetting(ProcessInfo.processInfo.environment["FOVEA_SCREEN"] ?? "")

  /// What words say; a usual phone for words without sense.
  init(_ words: String) {
    let parts = words.split(separator: "@", maxSplits: 1)
    let sides = (parts.first ?? "").split(separator: "x").compactMap { Double($0) }
    let isSize = sides.count == 2 && sides.allSatisfy { $0 >= 1 && $0 <= 32768 }
    size =
      isSize ? CGSize(width: sides[0], height: sides[1]) : CGSize(width: 390, height: 844)
    let factor = parts.count == 2 ? Double(parts[1]) ?? 1 : 1
    scale = factor >= 1 && factor <= 8 ? CGFloat(factor) : 1
  }
}

/// The screen. There is one, and nothing is shown on it.
@preconcurrency @MainActor open class UIScreen: NSObject {
  public static let main = UIScreen()

  open var bounds: CGRect { CGRect(origin: .zero, size: ScreenSetting.current.size) }
  open var scale: CGFloat { ScreenSetting.current.scale }
  open var nativeScale: CGFloat { scale }

  open var nativeBounds: CGRect {
    CGRect(x: 0, y: 0, width: bounds.width * scale, height: bounds.height * scale)
  }
}

public enum UIUserInterfaceStyle: Int, Sendable {
  case unspecified, light, dark
}

public enum UIUserInterfaceSizeClass: Int, Sendable {
  case unspecified, compact, regular
}

public enum UIUserInterfaceIdiom: Int, Sendable {
  case unspecified = -1
  case phone, pad
}

public enum UIInterfaceOrientation: Int, Sendable {
  case unknown, portrait, portraitUpsideDown, landscapeRight, landscapeLeft

  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}

public struct UIInterfaceOrientationMask: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let portrait = Self(rawValue: 2)
  public static let portraitUpsideDown = Self(rawValue: 4)
  public static let landscapeRight = Self(rawValue: 8)
  public static let landscapeLeft = Self(rawValue: 16)
  public static let landscape = Self(rawValue: 24)
  public static let all = Self(rawValue: 30)
  public static let allButUpsideDown = Self(rawValue: 26)
}

public enum UIDeviceOrientation: Int, Sendable {
  case unknown, portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, faceDown

  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}

/// The machine, which is held upright.
@preconcurrency @MainActor open class UIDevice: NSObject {
  public static let current = UIDevice()

  open var orientation: UIDeviceOrientation { .portrait }
  open var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
  open var name: String { ProcessInfo.processInfo.hostName }
  open var systemVersion: String { ProcessInfo.processInfo.operatingSystemVersionString }
}

/// What views are laid out for.
open class UITraitCollection: NSObject, @unchecked Sendable {  // because nothing of it changes
  public let userInterfaceStyle: UIUserInterfaceStyle
  public let horizontalSizeClass: UIUserInterfaceSizeClass
  public let verticalSizeClass: UIUserInterfaceSizeClass

  public init(
    userInterfaceStyle: UIUserInterfaceStyle = .light,
    horizontalSizeClass: UIUserInterfaceSizeClass = .compact,
    verticalSizeClass: UIUserInterfaceSizeClass = .regular
  ) {
    self.userInterfaceStyle = userInterfaceStyle
    self.horizontalSizeClass = horizontalSizeClass
    self.verticalSizeClass = verticalSizeClass
  }

  public override convenience init() {
    self.init(userInterfaceStyle: .light)
  }

  open var displayScale: CGFloat { ScreenSetting.current.scale }
  open var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
  public class var current: UITraitCollection { UITraitCollection() }
}
