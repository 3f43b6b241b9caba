// Fovea - errors that are objects of Foundation, and have codes with names.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A code of an error. It matches errors that have it, as in `catch AVError.decodeFailed`.
public protocol ErrorCode: RawRepresentable, Hashable, Sendable where RawValue == Int {
  associatedtype CodedFailure: NSError
}

/// An error that is an object of Foundation, whose code is a number and a name.
///
/// On Apple's platforms values become such objects when they are caught. Nothing does that here.
public protocol CodedError: NSError {
  associatedtype Code: ErrorCode
}

extension CodedError {
  /// The code by its name. `NSError` has the number by the same name, so this one is taken where a
  /// name is expected: `error.code == .unknown`.
  public var code: Code {
    guard let code = Code(rawValue: (self as NSError).code) else {
      preconditionFailure("\(domain) has no code \((self as NSError).code)")
    }
    return code
  }

  public var errorCode: Int { (self as NSError).code }
  public var errorUserInfo: [String: Any] { userInfo }
}

public func ~= <Code: ErrorCode>(code: Code, error: any Error) -> Bool {
  (error as? Code.CodedFailure)?.code == code.rawValue
}
