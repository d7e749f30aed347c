#!/usr/bin/env python3
"""Reads a QR code of block characters from standard input, with libzbar.

Prints its text, or exits 1 if there is no QR code.
"""

import ctypes
import sys

rows = []
for line in sys.stdin.read().split("\n"):
    cells = line.rstrip("\n")
    if not cells.strip() or set(cells) - set(" ▀▄█"):
        continue
    rows.append([c in "▀█" for c in cells])
    rows.append([c in "▄█" for c in cells])
width = max(map(len, rows), default=0)
if not width:
    sys.exit(1)
scale, margin = 4, 4
size = (width + 2 * margin) * scale
height = (len(rows) + 2 * margin) * scale
pixels = bytearray(b"\xff" * (size * height))
for y, row in enumerate(rows):
    for x, dark in enumerate(row):
        if dark:
            for dy in range(scale):
                start = ((y + margin) * scale + dy) * size + (x + margin) * scale
                pixels[start : start + scale] = b"\0" * scale

zbar = ctypes.CDLL("libzbar.so.0")
for name in ["zbar_image_scanner_create", "zbar_image_create", "zbar_image_first_symbol"]:
    getattr(zbar, name).restype = ctypes.c_void_p
zbar.zbar_symbol_get_data.restype = ctypes.c_char_p
scanner = ctypes.c_void_p(zbar.zbar_image_scanner_create())
zbar.zbar_image_scanner_set_config(scanner, 0, 0, 1)
image = ctypes.c_void_p(zbar.zbar_image_create())
zbar.zbar_image_set_format(image, ctypes.c_ulong(int.from_bytes(b"Y800", "little")))
zbar.zbar_image_set_size(image, size, height)
buffer = ctypes.create_string_buffer(bytes(pixels), len(pixels))
zbar.zbar_image_set_data(image, buffer, ctypes.c_ulong(len(pixels)), None)
if zbar.zbar_scan_image(scanner, image) < 1:
    sys.exit(1)
symbol = ctypes.c_void_p(zbar.zbar_image_first_symbol(image))
print(zbar.zbar_symbol_get_data(symbol).decode())
