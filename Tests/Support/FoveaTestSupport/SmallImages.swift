// Fovea - images of four colors, in formats that others write.
// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Images of four colors, in the quarters of a picture that this project has drawn.
public enum SmallImages {
  /// The colors of the upper left, upper right, lower left and lower right.
  public static let colors: [[UInt8]] = [
    [220, 40, 30], [30, 180, 60], [40, 60, 210], [235, 235, 230],
  ]

  /// 48 x 32 pixels as HEVC of 64 x 64, cut to the left upper corner by `clap`, then turned by
  /// quarters against the clock (`irot`) and mirrored (`imir`: 0 upside down, 1 left to right).
  public static func heic(quarterTurns: UInt8, mirror: UInt8) -> [UInt8] {
    var bytes = decoded(heicText)
    for (name, value) in [("irot", quarterTurns), ("imir", mirror)] {
      let place = bytes.indices.first { bytes[$0...].starts(with: name.utf8) } ?? 0
      bytes[place + 4] = value
    }
    return bytes
  }

  /// 48 x 32 pixels as AV1.
  public static var avif: [UInt8] { decoded(avifText) }

  /// 12 x 8 pixels; rows are interlaced, and the fourth color is transparent.
  public static var gif: [UInt8] { decoded(gifText) }

  private static func decoded(_ text: String) -> [UInt8] {
    Data(base64Encoded: text).map(Array.init) ?? []
  }

  private static let heicText = """
    AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAX1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAA\
    AAAAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAGhAAEAAAAAAAAAqgAAACNp\
    aW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAA/WlwcnAAAADcaXBjbwAAAHZodmNDAQNwAAAAAAAA\
    AAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQAqQgEBA3AAAAMAkAAAAwAA\
    AwAeoCCBBZbq5Ka5uBAQMCAAAAMAIAAAAwAhIgABAAZEAcFzwIkAAAAoY2xhcAAAADAAAAABAAAAIAAAAAH/\
    ///wAAAAAv///+AAAAACAAAACWlyb3QDAAAACWltaXIAAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAQcGl4aQAA\
    AAADCAgIAAAAGWlwbWEAAAAAAAAAAQABBoEFhoKDhAAAALJtZGF0AAAApigBrw7g6DMASXr778//4nfkPkTO\
    v03l8F3zLKKqR2tLHyjhefqeK/us+966J8h1ze3G0Ir9mP+MD+XmbmH6rTC/KjX/9zy5A0T4rNy+KMyHb9Y0\
    ho5xepsTfyxo+0Cdd/VFj8G7dJbTLVQXDa5MaxrTCc36jEn7i7nhwKJw+k+poL+yLbLQGT+BoFioXme49LVe\
    v/5pEdTX/oKMsKRbbwwH/+8MZfc=
    """

  private static let avifText = """
    AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAA\
    AAAAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAMwAAACNp\
    aW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGF2MDEAAAAAamlwcnAAAABLaXBjbwAAABNjb2xybmNseAACAAIA\
    BoAAAAAMYXYxQ4EADAAAAAAUaXNwZQAAAAAAAAAwAAAAIAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAA\
    AAABAAEEgYIDhAAAADttZGF0EgAKCRgVL/sECAgaEDIkRZABhhhhALjfZNoygRfdwISNuoLIb1aKTWJcnxOR\
    dWxlhazA
    """

  private static let gifText = """
    R0lGODlhDAAIAIEAAOvr5h60PCg80twoHiH5BAEAAAAALAAAAAAMAAgAAAgpAAcIHBigoMGBBA0WRChQ4UKG\
    DgMImEgRgMWLFCtetJhx4kaOHT8CCAgAOw==
    """
}
