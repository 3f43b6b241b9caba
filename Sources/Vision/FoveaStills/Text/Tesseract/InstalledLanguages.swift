// Fovea - the languages whose data is installed.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

extension RecognizeTextRequest {
  /// The languages that Tesseract has data for, English first: "en-US", "de-DE", or names of its own.
  package static var installedLanguages: [String] {
    var names: Set<String> = []
    for folder in TesseractLanguage.folders {
      names.formUnion(TesseractLanguage.names(in: folder))
      if !names.isEmpty { break }
    }
    let sorted = names.map(TesseractLanguage.identifier(of:)).sorted()
    return sorted.filter { $0 == "en-US" } + sorted.filter { $0 != "en-US" }
  }
}

extension TesseractLanguage {
  private static let ending = ".traineddata"
  /// Data that is of no language: the direction of pages, and formulas.
  private static let others: Set<String> = ["osd", "equ"]

  /// Regions that Vision names beside these languages.
  private static let regions = [
    "ar": "SA", "cs": "CZ", "da": "DK", "de": "DE", "en": "US", "es": "ES", "fr": "FR", "id": "ID",
    "it": "IT", "ja": "JP", "ko": "KR", "ms": "MY", "nl": "NL", "nb": "NO", "no": "NO", "pl": "PL",
    "pt": "BR", "ro": "RO", "ru": "RU", "sv": "SE", "th": "TH", "tr": "TR", "uk": "UA", "vi": "VT",
  ]

  /// Where data may lie, the place that is looked at first in front.
  static var folders: [String] {
    if let folder = getenv("TESSDATA_PREFIX") { return [String(cString: folder)] }
    return [
      "/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tessdata", "/usr/local/share/tessdata",
    ]
  }

  /// The names of the languages in a folder; none where it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let file = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let name = String(file.dropLast(ending.count))
      if file.hasSuffix(ending), !name.isEmpty, !others.contains(name) { names.append(name) }
    }
    return names
  }

  /// The name of a language by the name of its data: "deu" gives "de-DE", "chi_tra" "zh-Hant".
  static func identifier(of name: String) -> String {
    switch name {
    case "chi_sim": return "zh-Hans"
    case "chi_tra": return "zh-Hant"
    default: break
    }
    guard let code = codes[name] else { return name }
    return regions[code].map { "\(code)-\($0)" } ?? code
  }
}
