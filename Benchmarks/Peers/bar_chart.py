# Fovea - a bar chart as SVG.
# SPDX-License-Identifier: Apache-2.0
"""Draw horizontal bars: one group per title, minimum as the bar, median as a tick."""
from xml.sax.saxutils import escape

WIDTH, LABEL, ROW, RIGHT = 760, 190, 22, 120
OWN, PEER, YARDSTICK = "#c2410c", "#475569", "#cbd5e1"


def bar_chart(title, groups, is_own):
    """`groups`: {group title: {name: {"min": ms, "median": ms}}}; fastest first."""
    largest = max(row["median"] for rows in groups.values() for row in rows.values())
    scale = (WIDTH - LABEL - RIGHT) / largest
    parts, y = [], 44
    for group, rows in groups.items():
        parts.append(f'<text x="12" y="{y}" font-weight="bold">{escape(group)}</text>')
        y += 12
        for name, row in sorted(rows.items(), key=lambda item: item[1]["min"]):
            color = (OWN if is_own(name) else YARDSTICK if name.startswith("yardstick")
                      else PEER)
            tick = LABEL + row["median"] * scale
            parts += [
                f'<text x="{LABEL - 8}" y="{y + 14}" text-anchor="end">{escape(name)}</text>',
                f'<rect x="{LABEL}" y="{y + 3}" width="{row["min"] * scale:.1f}" '
                f'height="{ROW - 7}" fill="{color}"/>',
                f'<path d="M{tick:.1f} {y + 1}v{ROW - 3}" stroke="#111827" stroke-width="2"/>',
                f'<text x="{tick + 6:.1f}" y="{y + 14}">{row["min"]:.2f} ms '
                f'({row["median"]:.2f})</text>']
            y += ROW
        y += 26
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" '
            f'viewBox="0 0 {WIDTH} {y}" font-family="sans-serif" font-size="12">\n'
            f'<rect width="100%" height="100%" fill="white"/>\n'
            f'<text x="12" y="20" font-size="14">{escape(title)}: minimum (median)</text>\n')
    return head + "\n".join(parts) + "\n</svg>\n"
