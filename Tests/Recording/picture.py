#!/usr/bin/env python3
"""A recording as an animated SVG: picture.py FILE.cast FILE.svg

It plays again and again, in light and dark, and loads nothing. Readers who prefer less motion see its end. It says of which
recording it is, so that a test can tell an old one."""
import hashlib
import sys
from html import escape

from record import COLUMNS, events, screen, text

SIZE, LEAD, MARGIN = 14, 18, 16
LETTER = 8.43
# Seconds for which the last frame is shown.
REST = 4
STYLE = """
text { font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #24292f; white-space: pre }
rect { fill: #f6f8fa } .typed { font-weight: bold } .note { fill: #57606a } .ok { fill: #1a7f37 } .end { display: none }
@media (prefers-color-scheme: dark) {
  text { fill: #cdd1d8 } rect { fill: #181a1f } .typed { fill: #ffffff } .note { fill: #8b949e } .ok { fill: #3fb950 }
}
@media (prefers-reduced-motion: reduce) { .play { display: none } .end { display: inline } }
"""


def spans(played):
    """Returns what each row shows and when, as (row, text, begin, end). The end is None for text that remains."""
    shown, now, found = "", {}, []
    for when, part in played:
        shown += part
        lines = screen(shown)
        for row in range(max(len(lines), len(now))):
            line = lines[row] if row < len(lines) else ""
            before, began = now.get(row, ("", 0))
            if line != before:
                if before:
                    found.append((row, before, began, when))
                now[row] = (line, when)
    return found + [(row, line, began, None) for row, (line, began) in sorted(now.items()) if line]


def drawn(row, line, inside=""):
    kind = "typed" if line.startswith("$ ") else "note" if line.startswith("authctl: ") else ""
    attributes = f'x="{MARGIN}" y="{MARGIN + SIZE + row * LEAD}"'
    attributes += f' class="{kind}"' if kind else ""
    attributes += ' visibility="hidden"' if inside else ""
    content = escape(line).replace("✓", '<tspan class="ok">✓</tspan>')
    return f"<text {attributes}>{content}{inside}</text>"


def main(recording, picture):
    played = events(recording)
    lines = screen("".join(part for _, part in played))
    width, height = round(COLUMNS * LETTER) + 2 * MARGIN, LEAD * len(lines) + 2 * MARGIN
    length = played[-1][0] + REST
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>The first minute: setup, a token, status</title><style>{STYLE}</style>",
        f"<!-- Recording {hashlib.sha256(text(recording).encode()).hexdigest()} -->",
        f'<rect width="100%" height="100%" rx="8"/>',
        '<g class="end">', *[drawn(row, line) for row, line in enumerate(lines) if line], '</g><g class="play">',
    ]
    for row, line, begin, end in spans(played):
        times, values = f"0;{begin / length:.4f}", "hidden;visible"
        if end is not None:
            times, values = f"{times};{end / length:.4f}", values + ";hidden"
        inside = (f'<animate attributeName="visibility" calcMode="discrete" values="{values}" keyTimes="{times}" '
                  f'dur="{length}s" repeatCount="indefinite"/>')
        parts.append(drawn(row, line, inside))
    with open(picture, "w") as file:
        file.write("\n".join(parts + ["</g></svg>"]) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
