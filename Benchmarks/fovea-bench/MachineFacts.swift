// Fovea - what measured figures belong to: processor, load and time.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaLibc

/// What measured figures belong to.
struct MachineFacts: Encodable {
  /// The processor's name.
  var processor: String
  /// Threads that this process may use.
  var threads: Int
  /// Processes that wanted to run, the mean of the last minute.
  var load: Double
  /// When the figures were taken, UTC.
  var time: String

  /// The facts of this moment.
  init() {
    processor = SystemText.value(of: "model name", in: "/proc/cpuinfo") ?? "unknown processor"
    threads = ThreadPool.defaultThreadCount
    var averages = [0.0, 0, 0]
    load = getloadavg(&averages, 3) > 0 ? averages[0] : 0
    var now = currentTime()
    var parts = tm()
    gmtime_r(&now, &parts)
    let digits = { (value: Int32) in value < 10 ? "0\(value)" : "\(value)" }
    time =
      "\(parts.tm_year + 1900)-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
      + "T\(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec))Z"
  }

  /// For how many seconds since its start the machine wanted to run and its host let it wait; 0
  /// where the system does not say.
  static func stolenSeconds() -> Double {
    // "cpu", user, nice, system, idle, iowait, irq, softirq, steal: ticks of all processors.
    let ticks = SystemText.first(in: "/proc/stat") { line -> Double? in
      let words = line.split(separator: " ")
      return words.count > 8 && words[0] == "cpu" ? Double(words[8]) : nil
    }
    return (ticks ?? 0) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// For people.
  var line: String {
    "\(processor), \(threads) threads, load \((load * 100).rounded() / 100), \(time)"
  }
}

/// Files in which the system answers questions, line by line.
enum SystemText {
  /// The value of the first line with a key, a colon and a value.
  static func value(of key: String, in path: String) -> String? {
    first(in: path) { line in
      guard let colon = line.firstIndex(of: ":"), trimmed(line[..<colon]) == key else { return nil }
      return trimmed(line[line.index(after: colon)...])
    }
  }

  /// The answer of the first line that has one. Lines are cut at 4 KB.
  static func first<Answer>(in path: String, _ answer: (Substring) -> Answer?) -> Answer? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), file) != nil {
      let end = line.firstIndex(of: 0) ?? line.count
      let text = String(decoding: line[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if let found = answer(text[...]) { return found }
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

// Outside `MachineFacts`, where `time` means that of the C library.
private func currentTime() -> time_t { time(nil) }
