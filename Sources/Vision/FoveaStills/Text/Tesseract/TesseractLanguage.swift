// Fovea - names of languages, as Tesseract has them.
// SPDX-License-Identifier: Apache-2.0

/// Names of languages, as Tesseract has them.
enum TesseractLanguage {
  /// Codes of ISO 639-1 by those that Tesseract's data is named with, ISO 639-2.
  private static let names: [String: String] = [
    "af": "afr", "ar": "ara", "be": "bel", "bg": "bul", "bn": "ben", "ca": "cat", "cs": "ces",
    "cy": "cym", "da": "dan", "de": "deu", "el": "ell", "en": "eng", "es": "spa", "et": "est",
    "eu": "eus", "fa": "fas", "fi": "fin", "fr": "fra", "ga": "gle", "gl": "glg", "he": "heb",
    "hi": "hin", "hr": "hrv", "hu": "hun", "hy": "hye", "id": "ind", "is": "isl", "it": "ita",
    "ja": "jpn", "ka": "kat", "kk": "kaz", "ko": "kor", "la": "lat", "lt": "lit", "lv": "lav",
    "mk": "mkd", "ms": "msa", "mt": "mlt", "nb": "nor", "nl": "nld", "no": "nor", "pl": "pol",
    "pt": "por", "ro": "ron", "ru": "rus", "sk": "slk", "sl": "slv", "sq": "sqi", "sr": "srp",
    "sv": "swe", "ta": "tam", "te": "tel", "th": "tha", "tr": "tur", "uk": "ukr", "ur": "urd",
    "vi": "vie",
  ]

  /// Codes of ISO 639-1 by the names of the data. Norwegian has two codes; the newer one is given.
  static let codes = Dictionary(
    names.map { ($0.value, $0.key) }, uniquingKeysWith: { min($0, $1) })

  /// The name of the data for a language: "de-DE", "de" and "deu" give "deu"; "zh-Hant" gives "chi_tra".
  ///
  /// Names that have three letters or more are Tesseract's own.
  ///
  /// - Throws: `.invalidRequest` for what is no name of a language, or one that is not known.
  static func name(of language: String) throws(StillError) -> String {
    let parts = language.split(separator: "-", omittingEmptySubsequences: false)
    let valid = language.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    if valid, let first = parts.first, !first.isEmpty {
      if first == "zh" || first == "yue" {
        let traditional = parts.dropFirst().contains { ["Hant", "TW", "HK"].contains($0) }
        return traditional ? "chi_tra" : "chi_sim"
      }
      if let name = names[first.lowercased()] { return name }
      if first.count >= 3 { return parts.count == 1 ? language : String(first) }
    }
    throw .invalidRequest(
      "recognitionLanguages has \"\(language)\"; expected names such as \"en-US\", \"de\" or,"
        + " as Tesseract's data is named, \"deu\"")
  }
}
