#!/usr/bin/env python3
"""A picture of the end of a recording: picture.py FILE.cast FILE.png

It says of which recording it is, so that a test can tell an old one. Debian's python3-pil and DejaVu Sans Mono."""
import hashlib
import sys

from PIL import Image, ImageDraw, ImageFont, PngImagePlugin

from record import COLUMNS, screen, text

FONTS = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono"
SIZE, LEAD, MARGIN = 14, 18, 16
BACK, FRONT, BRIGHT, DIM = (24, 26, 31), (205, 209, 216), (255, 255, 255), (139, 148, 158)

lines = screen(sys.argv[1])
plain, bold = ImageFont.truetype(FONTS + ".ttf", SIZE), ImageFont.truetype(FONTS + "-Bold.ttf", SIZE)
width = round(plain.getlength("M" * COLUMNS)) + 2 * MARGIN
image = Image.new("RGB", (width, LEAD * len(lines) + 2 * MARGIN), BACK)
draw = ImageDraw.Draw(image)
for row, line in enumerate(lines):
    place = (MARGIN, MARGIN + row * LEAD)
    if line.startswith("$ "):
        draw.text(place, line, BRIGHT, bold)
    else:
        draw.text(place, line, DIM if line.startswith("authctl: ") else FRONT, plain)
about = PngImagePlugin.PngInfo()
about.add_text("Recording", hashlib.sha256(text(sys.argv[1]).encode()).hexdigest())
image.quantize(32).save(sys.argv[2], optimize=True, pnginfo=about)
