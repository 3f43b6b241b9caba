// Fovea - the page of the live view.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaHTTP

/// The page of the live view: plain HTML and a script, which asks this server alone.
///
/// The script reads the Motion JPEG itself, because its parts name their pictures: so boxes are drawn
/// over the picture that they were found in. They are in the pixels of that picture.
enum ViewPage {
  /// The answer with the page. Browsers run its script, and none that somebody could smuggle in.
  static func answer() -> HTTPResponse {
    let nonce = String(UInt64.random(in: 0...(.max)), radix: 36)
    let policy =
      "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; "
      + "connect-src 'self'; img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; "
      + "frame-ancestors 'none'"
    let parts = [
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
      "<title>Fovea</title>\n<link rel=\"icon\" href=\"data:,\">\n",
      "<style nonce=\"\(nonce)\">\n", style, "\n</style>\n</head>\n", body,
      "\n<script nonce=\"\(nonce)\">\n", ViewScript.text, "\n</script>\n</html>\n",
    ]
    var response = HTTPResponse(type: "text/html; charset=utf-8", Array(parts.joined().utf8))
    response.headers = [("Content-Security-Policy", policy)]
    return response
  }

  private static let style = """
    :root { color-scheme: light dark; }
    body { margin: 0; font: 15px/1.4 system-ui, sans-serif; display: flex; flex-wrap: wrap; }
    main { position: relative; flex: 1 1 40rem; background: #111; align-self: flex-start; }
    main canvas { display: block; width: 100%; height: auto; }
    #overlay { position: absolute; left: 0; top: 0; }
    #notice { position: absolute; left: 1rem; top: 1rem; margin: 0; padding: .3rem .7rem;
      background: #000c; color: #fff; border-radius: .3rem; }
    #notice:empty { display: none; }
    aside { flex: 0 1 17rem; padding: 1rem; box-sizing: border-box; }
    h1 { font-size: 1.05rem; margin: 0 0 .8rem; overflow-wrap: anywhere; }
    h2 { font-size: .95rem; margin: 1rem 0 .3rem; }
    button { font: inherit; padding: .3rem .9rem; margin: 0 .4rem .4rem 0; }
    label { display: block; }
    input[type=range] { width: 100%; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    th { text-align: left; font-weight: normal; }
    td { text-align: right; }
    """

  private static let body = """
    <body>
    <main>
    <canvas id="picture" width="640" height="360"></canvas>
    <canvas id="overlay" width="640" height="360"></canvas>
    <p id="notice" role="status">waiting for the first picture</p>
    </main>
    <aside>
    <h1 id="title">Fovea</h1>
    <button id="pause" type="button" aria-pressed="false">Pause</button>
    <button id="snapshot" type="button">Snapshot</button>
    <h2>Show</h2>
    <label for="least">from <output id="leastText">0 %</output> on</label>
    <input id="least" type="range" min="0" max="100" value="0">
    <div id="labels"></div>
    <h2>Numbers</h2>
    <table>
    <tr><th scope="row">time</th><td id="time"></td></tr>
    <tr><th scope="row">objects shown</th><td id="objects"></td></tr>
    <tr><th scope="row">detector's latency</th><td id="latency"></td></tr>
    <tr><th scope="row">pictures analyzed</th><td id="taken"></td></tr>
    <tr><th scope="row">dropped before that</th><td id="dropped"></td></tr>
    <tr><th scope="row">late results</th><td id="late"></td></tr>
    <tr><th scope="row">shown here in a second</th><td id="rate"></td></tr>
    <tr><th scope="row">not shown here</th><td id="missed"></td></tr>
    </table>
    <div id="counts"></div>
    </aside>
    </body>
    """
}
