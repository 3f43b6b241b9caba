// Fovea - libraries that decode images, asked in a process of their own.
// SPDX-License-Identifier: Apache-2.0
internal import CPictureReader
internal import FoveaReader

/// libheif, libtiff and giflib, asked in a process of their own (`fov_picture_reader.h`): a file
/// that ends a decoder is refused, and does not end the program.
enum PictureReader {
  /// What is asked.
  enum Operation {
    case describeHEIF
    case decode(ImageHeader)
  }

  /// What a decoder answers.
  struct Answer {
    var width: Int
    var height: Int
    /// 3, or 4 with alpha.
    var channels: Int
    var hasColorProfile: Bool
    var isPremultiplied: Bool
    /// height x width x channels; none where the file is described.
    var samples: [UInt8]
  }

  private static let reader = IsolatedReader(fov_picture_reader())

  /// How long a decoder may take: far above what the largest image takes.
  private static let seconds = 120.0

  /// Asks about the bytes of a file.
  ///
  /// - Throws: `.libraryUnavailable`, `.traitDisabled`, `.truncated` or `.damaged`.
  static func ask(
    _ operation: Operation, _ bytes: [UInt8], _ format: ImageFormat
  ) throws(ImageError) -> Answer {
    var (number, parameters) = (UInt32(fov_picture_describe_heif), [UInt8]())
    var pixels = 0
    if case .decode(let header) = operation {
      number = decoder(of: format)
      parameters = [header.width, header.height, header.orientation].flatMap { number in
        withUnsafeBytes(of: UInt32(clamping: number)) { Array($0) }
      }
      pixels = header.width * header.height
    }
    let answer: [UInt8]
    do throws(IsolatedReader.Failure) {
      answer = try reader.ask(
        number, parameters: parameters, picture: bytes,
        answerBytes: headBytes + max(4 * pixels, wordBytes), seconds: seconds)
    } catch {
      throw ImageError(reason(error, format))
    }
    let found = try read(answer, format)
    if case .decode(let header) = operation {
      guard found.width == header.width, found.height == header.height, !found.samples.isEmpty
      else {
        throw ImageError(.damaged(format, "the coded image has another size than they say"))
      }
    }
    return found
  }

  private static let headBytes = 16
  /// Room for the words of a reader that says no.
  private static let wordBytes = 4096

  private static func decoder(of format: ImageFormat) -> UInt32 {
    switch format {
    case .tiff: UInt32(fov_picture_decode_tiff)
    case .gif: UInt32(fov_picture_decode_gif)
    default: UInt32(fov_picture_decode_heif)
    }
  }

  /// The answer is untrusted: the decoder may have been made to say anything.
  private static func read(
    _ answer: [UInt8], _ format: ImageFormat
  ) throws(ImageError) -> Answer {
    let numbers = stride(from: 0, to: min(answer.count, headBytes), by: 4).map { place in
      Int(answer[place..<place + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
    let samples = answer.dropFirst(headBytes)
    guard numbers.count == 4, numbers[2] == 3 || numbers[2] == 4,
      samples.isEmpty || samples.count == numbers[0].saturatingProduct(numbers[1] * numbers[2])
    else { throw ImageError(.damaged(format, "the decoder's answer makes no sense")) }
    let flags = numbers[3]
    return Answer(
      width: numbers[0], height: numbers[1], channels: numbers[2],
      hasColorProfile: flags & Int(fov_picture_has_profile) != 0,
      isPremultiplied: flags & Int(fov_picture_is_premultiplied) != 0,
      samples: Array(samples))
  }

  private static func reason(
    _ failure: IsolatedReader.Failure, _ format: ImageFormat
  ) -> ImageError.Reason {
    switch failure {
    case .cannotStart: return .libraryUnavailable(format, "its process cannot be started")
    case .ended: return .damaged(format, "the decoder ended at them")
    case .late: return .damaged(format, "the decoder does not come to an end with them")
    case .malformed: return .damaged(format, "the decoder's answer makes no sense")
    case .refused(let text):
      let words = String(text.dropFirst())
      switch text.first {
      case "L", "U": return .libraryUnavailable(format, words)
      case "T": return .traitDisabled(format)
      case "E": return .truncated(format)
      case "M": return .damaged(format, "the decoder has no memory for them")
      default: return .damaged(format, words.isEmpty ? "they cannot be decoded" : words)
      }
    }
  }
}

extension Image {
  /// The image in a file that a library decodes in a process of its own.
  ///
  /// - Parameter mostPixels: The most pixels that a file of this length can code.
  init(
    isolated bytes: [UInt8], _ header: ImageHeader, mostPixels: Int, limits: ImageLimits,
    alpha: ImageAlpha
  ) throws(ImageError) {
    try limits.check(header, mostPixels: mostPixels, fileBytes: bytes.count)
    var answer = try PictureReader.ask(.decode(header), bytes, header.format)
    guard answer.channels == 4 else {
      self.init(header, rgb: answer.samples)
      return
    }
    let share = PixelPacking.transparentShare(of: answer.samples)
    if answer.isPremultiplied { PixelPacking.divideByAlpha(&answer.samples) }
    alpha.apply(to: &answer.samples)
    self.init(header, rgb: answer.samples, transparentShare: share)
  }
}
