// Fovea - a page for browsers, without a script or a foreign address.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// A page for browsers: one file, light or dark as the reader prefers, from narrow to wide.
struct HTMLPage {
  private var body = ""
  private let title: String

  init(title: String) { self.title = title }

  /// Text that stands for itself.
  static func text(_ text: String) -> String { MarkupText.escaped(text) }

  mutating func add(_ html: String) { body += html + "\n" }

  /// A section with a heading and a sentence that says how to read it.
  mutating func section(_ heading: String, _ words: String = "", _ html: String) {
    add("<section><h2>\(Self.text(heading))</h2>")
    if !words.isEmpty { add("<p class=\"note\">\(Self.text(words))</p>") }
    add(html + "</section>")
  }

  /// A column of a table.
  struct Column {
    let title: String
    let isNumber: Bool
    static func text(_ title: String) -> Self { Self(title: title, isNumber: false) }
    static func number(_ title: String) -> Self { Self(title: title, isNumber: true) }
  }

  /// A table that can be moved sideways where it is too wide.
  static func table(_ columns: [Column], _ rows: [[String]]) -> String {
    func cell(_ tag: String, _ text: String, _ column: Column) -> String {
      "<\(tag)\(column.isNumber ? " class=\"number\"" : "")>\(Self.text(text))</\(tag)>"
    }
    let head = columns.map { cell("th", $0.title, $0) }.joined()
    let lines = rows.map { row in
      "<tr>" + zip(row, columns).map { cell("td", $0, $1) }.joined() + "</tr>"
    }
    return "<div class=\"wide\"><table><thead><tr>\(head)</tr></thead><tbody>\n"
      + lines.joined(separator: "\n") + "\n</tbody></table></div>"
  }

  /// Numbers with their names, side by side.
  static func tiles(_ numbers: [(name: String, value: String)]) -> String {
    "<div class=\"tiles\">"
      + numbers.map { name, value in
        "<div class=\"tile\"><b>\(Self.text(value))</b><span>\(Self.text(name))</span></div>"
      }.joined() + "</div>"
  }

  /// A picture, or several side by side with what each shows, above a line of text.
  ///
  /// - Parameter caption: HTML.
  static func figure(_ pictures: [(title: String, element: String)], caption: String) -> String {
    let elements = pictures.map { title, element in
      title.isEmpty ? element : "<div><span>\(Self.text(title))</span>\(element)</div>"
    }.joined()
    let body = pictures.count > 1 ? "<div class=\"pair\">\(elements)</div>" : elements
    return "<figure>\(body)<figcaption>\(caption)</figcaption></figure>"
  }

  /// The whole page.
  var bytes: [UInt8] {
    Array(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file: data:; \
      style-src 'unsafe-inline'">
      <title>\(Self.text(title))</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <main>
      \(body)</main>
      </body>
      </html>

      """.utf8)
  }

  private static let style = """
    :root{color-scheme:light dark;--ground:#fff;--ink:#16191f;--muted:#59616e;--line:#e1e4ea;
    --panel:#f5f6f8;--right:#1a7f37;--wrong:#c5221f;--there:#1558c0;--heat:21,88,192}
    @media (prefers-color-scheme:dark){:root{--ground:#16191f;--ink:#f0f2f5;--muted:#a3abb8;
    --line:#343a45;--panel:#1e222a;--right:#57c173;--wrong:#ff7b72;--there:#79b8ff;--heat:121,184,255}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
    main{max-width:1400px;margin:0 auto;padding:16px}
    h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:2rem 0 .25rem}
    .verdict{font-size:1.15rem;margin:.25rem 0 1rem;overflow-wrap:anywhere}
    .note{color:var(--muted);margin:.25rem 0 .75rem;max-width:75ch}
    .wide{overflow-x:auto;margin-bottom:12px}
    table{border-collapse:collapse;font-variant-numeric:tabular-nums}
    th,td{padding:4px 10px;border-bottom:1px solid var(--line);text-align:left;white-space:nowrap}
    th{color:var(--muted);font-weight:600}.number{text-align:right}
    .tiles{display:flex;flex-wrap:wrap;gap:12px;margin:12px 0}
    .tile{background:var(--panel);border-radius:8px;padding:10px 16px}
    .tile b{display:block;font-size:1.35rem}.tile span{color:var(--muted);font-size:.85rem}
    .charts{display:flex;flex-wrap:wrap;gap:24px}.charts svg{max-width:100%;height:auto}
    .pictures{display:grid;margin-bottom:12px;grid-template-columns:repeat(auto-fill,minmax(min(100%,620px),1fr));gap:20px}
    figure{margin:0;background:var(--panel);border-radius:8px;padding:10px}
    figure svg{width:100%;height:auto;display:block;border-radius:4px}
    .medium{grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr))}
    .small{grid-template-columns:repeat(auto-fill,minmax(min(100%,220px),1fr))}
    .pair{display:grid;grid-template-columns:1fr 1fr;gap:8px}
    .pair div span{color:var(--muted);font-size:.85rem}
    @media (max-width:560px){.pair{grid-template-columns:1fr}}
    figcaption{margin-top:6px;font-size:.92rem;overflow-wrap:anywhere}
    .right{color:var(--right)}.wrong{color:var(--wrong)}.there{color:var(--there)}
    .matrix td{text-align:right;min-width:3rem}
    .matrix th:first-child{position:sticky;left:0;background:var(--ground)}
    """
}
