// Fovea - the script of the live view's page.
// SPDX-License-Identifier: Apache-2.0

/// The script of the page.
enum ViewScript {
  /// It keeps one picture and the events of the last few, and writes texts as texts.
  static let text = #"""
    "use strict";
    const by = (id) => document.getElementById(id);
    const picture = by("picture"), overlay = by("overlay");
    const rows = new Map();
    const hidden = new Set();
    const known = new Map();
    let setup = { colors: ["#FF5A2D"], lines: [], zones: [] };
    let shown = null, least = 0, isPaused = false, missed = 0, lastTaken = 0, hasEnded = false;
    let moments = [];

    const say = (text) => { by("notice").textContent = text; };

    // MARK: What is drawn

    const place = (text) => {
      let hash = 0;
      for (const sign of text) hash = (hash * 31 + sign.codePointAt(0)) >>> 0;
      return hash;
    };
    const color = (number) => setup.colors[number % setup.colors.length];

    /// Tracks where there are any, else what was found.
    const objects = (row) => (row.tracks || row.objects).filter(
      (one) => one.score * 100 >= least && !hidden.has(one.label));

    /// Above a box. Letters of a plate that is wider than its box become a little smaller.
    const plate = (pen, text, box, line, wanted, fill) => {
      pen.font = `bold ${wanted}px sans-serif`;
      const whole = pen.measureText(text).width + wanted * 0.6, room = box.xmax - box.xmin + line;
      const size = wanted * Math.min(1, Math.max(0.65, 8.5 / wanted, room / whole));
      pen.font = `bold ${size}px sans-serif`;
      const width = whole * size / wanted, height = size * 1.35;
      const left = Math.max(0, Math.min(box.xmin - line / 2, overlay.width - width));
      const above = box.ymin - height - line / 2;
      const top = Math.max(0, Math.min(above, overlay.height - height));
      pen.fillStyle = fill;
      pen.fillRect(left, top, width, height);
      pen.fillStyle = "#000";
      pen.fillText(text, left + size * 0.3, top + size * 1.02);
    };

    const draw = () => {
      const pen = overlay.getContext("2d");
      const [width, height] = [overlay.width, overlay.height];
      pen.clearRect(0, 0, width, height);
      const row = shown;
      if (!row) return;
      const side = Math.sqrt(width * height);
      const line = Math.max(2, side * 0.004), size = Math.max(11.5, side * 0.023);
      pen.lineWidth = line;
      const path = (points, isClosed, stroke) => {
        pen.beginPath();
        points.forEach(([x, y], index) =>
          index ? pen.lineTo(x * width, y * height) : pen.moveTo(x * width, y * height));
        if (isClosed) pen.closePath();
        pen.strokeStyle = stroke;
        pen.stroke();
      };
      for (const one of setup.lines) path(one.points, false, "#fff");
      for (const one of setup.zones) path(one.points, true, "#ffd200");
      const list = objects(row);
      for (const one of list) {
        const number = one.identifier ? one.identifier - 1 : place(one.label);
        const stroke = color(number);
        pen.setLineDash(one.predicted ? [4 * line, 3 * line] : []);
        pen.strokeStyle = stroke;
        pen.strokeRect(one.xmin, one.ymin, one.xmax - one.xmin, one.ymax - one.ymin);
        pen.setLineDash([]);
        const name = one.identifier ? `${one.identifier} ${one.label}` : one.label;
        const text = one.predicted ? name : `${name} ${Math.round(one.score * 100)} %`;
        plate(pen, text, one, line, size, stroke);
      }
      by("objects").textContent = list.length;
    };

    // MARK: Numbers and choices

    const choose = (row) => {
      for (const one of row.objects.concat(row.tracks || [])) {
        if (known.has(one.label) || known.size >= 200) continue;
        const box = document.createElement("input");
        box.type = "checkbox";
        box.checked = true;
        box.addEventListener("change", () => {
          if (box.checked) hidden.delete(one.label); else hidden.add(one.label);
          draw();
        });
        const label = document.createElement("label");
        label.append(box, " " + one.label);
        known.set(one.label, label);
        by("labels").append(label);
      }
    };

    const count = (row) => {
      by("time").textContent = `${row.time.toFixed(1)} s`;
      by("latency").textContent = `${(row.latency * 1000).toFixed(0)} ms`;
      by("taken").textContent = row.counts.taken;
      by("dropped").textContent = row.counts.dropped;
      by("late").textContent = row.counts.late;
      const now = performance.now();
      moments = moments.filter((one) => now - one < 2000);
      moments.push(now);
      const span = now - moments[0];
      by("rate").textContent = span > 0 ? ((moments.length - 1) * 1000 / span).toFixed(1) : "";
      if (lastTaken && row.counts.taken > lastTaken + 1) missed += row.counts.taken - lastTaken - 1;
      lastTaken = row.counts.taken;
      by("missed").textContent = missed;
      const texts = (row.lines || []).map((one) =>
        `${one.name}: ${one.total.toLeft} to the left, ${one.total.toRight} to the right`)
        .concat((row.zones || []).map((one) =>
          `${one.name}: ${one.total.present} inside, ${one.total.entered} entered, `
          + `${one.total.left} left`));
      by("counts").replaceChildren(...texts.map((text) => {
        const line = document.createElement("p");
        line.textContent = text;
        return line;
      }));
    };

    by("least").addEventListener("input", () => {
      least = Number(by("least").value);
      by("leastText").textContent = `${least} %`;
      draw();
    });
    by("pause").addEventListener("click", () => {
      isPaused = !isPaused;
      by("pause").setAttribute("aria-pressed", String(isPaused));
      by("pause").textContent = isPaused ? "Go on" : "Pause";
      say(isPaused ? "paused" : "");
    });
    by("snapshot").addEventListener("click", () => {
      const all = document.createElement("canvas");
      all.width = picture.width;
      all.height = picture.height;
      const pen = all.getContext("2d");
      pen.drawImage(picture, 0, 0);
      pen.drawImage(overlay, 0, 0);
      all.toBlob((blob) => {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(blob);
        link.download = `fovea-${shown ? shown.time.toFixed(3) : "0"}.png`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
      }, "image/png");
    });

    // MARK: Pictures

    /// The row of a picture, which its event may bring a little later.
    const rowOf = async (frame) => {
      for (let attempt = 0; attempt < 20 && !rows.has(frame); attempt++) {
        if (Math.max(...rows.keys()) > frame) break;
        await new Promise((done) => setTimeout(done, 10));
      }
      return rows.get(frame);
    };

    const show = async (bytes, frame) => {
      if (isPaused) return;
      const image = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
      const row = await rowOf(frame);
      if (isPaused) return;
      if (picture.width !== image.width || picture.height !== image.height) {
        for (const one of [picture, overlay]) {
          one.width = image.width;
          one.height = image.height;
        }
      }
      picture.getContext("2d").drawImage(image, 0, 0);
      image.close();
      // A picture whose row is late has no boxes: those of another one would be elsewhere.
      shown = row || null;
      if (row) {
        choose(row);
        count(row);
      }
      draw();
      say("");
    };

    const joined = (one, other) => {
      const all = new Uint8Array(one.length + other.length);
      all.set(one);
      all.set(other, one.length);
      return all;
    };

    /// Where the empty line behind the headers of a part ends; -1 for nowhere yet.
    const headEnd = (bytes) => {
      for (let at = 3; at < bytes.length; at++) {
        if (bytes[at] === 10 && bytes[at - 1] === 13 && bytes[at - 2] === 10) return at + 1;
      }
      return -1;
    };

    const watch = async () => {
      const answer = await fetch("stream.mjpg" + location.search);
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      const reader = answer.body.getReader();
      let bytes = new Uint8Array(0);
      for (;;) {
        const end = headEnd(bytes);
        const head = end < 0 ? "" : new TextDecoder().decode(bytes.subarray(0, end));
        const length = Number((/content-length: *(\d+)/i.exec(head) || [])[1] || -1);
        if (end >= 0 && length >= 0 && bytes.length >= end + length) {
          const frame = Number((/x-frame: *(\d+)/i.exec(head) || [])[1] || 0);
          const jpeg = bytes.slice(end, end + length);
          bytes = bytes.slice(end + length);
          await show(jpeg, frame);
          continue;
        }
        const { done, value } = await reader.read();
        if (done) return;
        bytes = joined(bytes, value);
      }
    };

    const listen = () => {
      const events = new EventSource("events" + location.search);
      events.addEventListener("setup", (event) => {
        setup = Object.assign(setup, JSON.parse(event.data));
        if (setup.title) by("title").textContent = document.title = setup.title;
        // Another run counts from the beginning.
        rows.clear();
        lastTaken = 0;
      });
      events.addEventListener("message", (event) => {
        const row = JSON.parse(event.data);
        rows.set(row.frame, row);
        while (rows.size > 64) rows.delete(rows.keys().next().value);
      });
      events.addEventListener("end", () => {
        hasEnded = true;
        events.close();
        say("the source has ended");
      });
    };

    const go = async () => {
      for (;;) {
        try {
          await watch();
        } catch (error) {
          if (!hasEnded) say(String(error.message || error));
        }
        if (hasEnded) return say("the source has ended");
        say("the connection was lost; trying again");
        await new Promise((done) => setTimeout(done, 1000));
      }
    };

    listen();
    go();
    """#
}
