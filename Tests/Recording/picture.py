#!/usr/bin/env python3
"""The text of a terminal as an SVG: picture.py FILE.txt FILE.svg

It is legible in light and dark, has plain text, and loads nothing."""
import sys
from html import escape

COLUMNS, SIZE, LEAD, MARGIN = 80, 14, 19, 16
LETTER = 8.43
STYLE = """
text { font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #24292f; white-space: pre }
rect { fill: #f6f8fa; stroke: #d0d7de } .typed { font-weight: bold }
@media (prefers-color-scheme: dark) {
  text { fill: #cdd1d8 } rect { fill: #181a1f; stroke: #30363d } .typed { fill: #ffffff }
}
"""


def main(session, picture):
    with open(session) as file:
        lines = file.read().splitlines()
    width, height = round(COLUMNS * LETTER) + 2 * MARGIN, LEAD * len(lines) + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>Sign in to GitHub, print the token, show the status</title><style>{STYLE}</style>",
        f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
    ]
    for row, line in enumerate(lines):
        if line:
            kind = ' class="typed"' if line.startswith(("$ ", "https://")) else ""
            parts.append(f'<text x="{MARGIN}" y="{MARGIN + SIZE + row * LEAD}" xml:space="preserve"{kind}>{escape(line)}</text>')
    with open(picture, "w") as file:
        file.write("\n".join(parts + ["</svg>"]) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
