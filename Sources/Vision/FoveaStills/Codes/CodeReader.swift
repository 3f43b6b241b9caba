// Fovea - zxing-cpp in a process of its own.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaCodes
internal import FoveaLibc
internal import FoveaReader

/// Reads codes by zxing-cpp, which may end its process (`fov_codes.h`).
struct CodeReader: Sendable {
  private let reader: IsolatedReader

  private static let shared = Result { () throws(StillError) -> CodeReader in
    guard let kind = fov_codes_reader() else { throw .traitDisabled("Codes") }
    return CodeReader(reader: IsolatedReader(kind))
  }

  /// The reader of this process.
  ///
  /// - Throws: `.traitDisabled`, `.libraryUnavailable`, `.libraryFailed`.
  static func opened() throws(StillError) -> CodeReader {
    let reader = try shared.get()
    do throws(IsolatedReader.Failure) {
      _ = try reader.reader.ask(UInt32(fov_codes_operation_version))
    } catch {
      switch error {
      case .refused(let words):
        throw .libraryUnavailable("zxing-cpp cannot be opened (\(words)); install libzxing2")
      case .cannotStart:
        throw .libraryFailed("the process that reads codes cannot be started")
      default:
        throw .libraryFailed("the process that reads codes does not answer")
      }
    }
    return reader
  }

  /// How hard to look.
  struct Effort: OptionSet {
    let rawValue: UInt32

    static let harder = Self(rawValue: UInt32(fov_codes_harder))
    static let rotated = Self(rawValue: UInt32(fov_codes_rotate))
    static let downscaled = Self(rawValue: UInt32(fov_codes_downscale))
    static let one = Self(rawValue: UInt32(fov_codes_one))
    static let global = Self(rawValue: UInt32(fov_codes_global))
    static let inverted = Self(rawValue: UInt32(fov_codes_invert))
    static let fullASCII = Self(rawValue: UInt32(fov_codes_full_ascii))

    /// What finds most in a picture.
    static let all: Self = [.harder, .rotated, .downscaled]
  }

  /// The codes in a picture. A library that fails on the picture is asked for one code, at full size.
  ///
  /// - Returns: The codes, and whether all were looked for.
  func read(
    _ picture: GrayImage, _ formats: CodeFormat, _ effort: Effort
  ) -> (symbols: [CodeSymbol], isComplete: Bool) {
    if let symbols = ask(picture, formats, effort) { return (symbols, true) }
    let less = effort.subtracting(.downscaled).union(.one)
    guard less != effort, let symbols = ask(picture, formats, less) else { return ([], false) }
    return (symbols, effort.contains(.one))
  }

  /// The codes in a picture; `nil` if the library fails on it.
  private func ask(
    _ picture: GrayImage, _ formats: CodeFormat, _ effort: Effort
  ) -> [CodeSymbol]? {
    let numbers = [
      UInt32(picture.width), UInt32(picture.height), formats.rawValue, effort.rawValue, 2,
    ]
    let parameters = numbers.flatMap { number in (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
    let seconds = 5 + Double(picture.pixels.count) * 1e-6
    let answer = try? reader.ask(
      UInt32(fov_codes_operation_read), parameters: parameters, picture: picture.pixels,
      seconds: seconds)
    return answer.flatMap {
      CodeSymbol.symbols(of: $0, isInverted: effort.contains(.inverted))
    }
  }
}
