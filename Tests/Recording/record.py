#!/usr/bin/env python3
"""The first minute with authctl: runs it in a terminal, and prints what is on the screen at its end, tokens and dates masked.

    TOKEN=PERSONAL-ACCESS-TOKEN record.py"""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

COLUMNS, ROWS = 80, 24
#: Typed commands, and the answers to their prompts.
STEPS = [
    ("authctl signin github.com", [("Choose [1]: ", ""), ("Token (not shown):", os.environ.get("TOKEN", ""))]),
    ("authctl token github.com", []),
    ("authctl status", []),
]


def run(command, answers):
    """Runs a command in a terminal, and returns its output."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
        os.execvp("bash", ["bash", "-c", f"stty cols {COLUMNS} rows {ROWS}; {command}"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    shown, seen, last = b"", 0, time.monotonic() + 60
    while time.monotonic() < last:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
        if answers and (at := shown.find(answers[0][0].encode(), seen)) >= 0:
            seen = at + len(answers[0][0])
            os.write(terminal, answers.pop(0)[1].encode() + b"\n")
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status or answers:
        sys.exit(f"{command}: exit {status}, not asked {answers}:\n{shown.decode()}")
    return shown.decode()


def screen(data):
    """Returns the lines that this output leaves on a screen of unlimited height, without colors."""
    data = re.sub(r"\x1b\]8;[^\x07\x1b]*(\x07|\x1b\\)", "", data)  # links
    lines, row, column = [""], 0, 0
    for token in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b.|.", data, re.S):
        if token == "\n":
            row += 1
            if row == len(lines):
                lines.append("")
        elif token == "\r":
            column = 0
        elif token == "\b":
            column = max(0, column - 1)
        elif token.startswith("\x1b["):
            count = int(token[2:-1]) if token[2:-1].isdigit() else 1
            if token[-1] == "K":
                lines[row] = lines[row][:column]
            elif token[-1] == "A":
                row = max(0, row - count)
            elif token[-1] == "B":
                row = min(len(lines) - 1, row + count)
            elif token[-1] == "J":
                lines[row:] = [lines[row][:column]]
        elif token.startswith("\x1b") or token < " ":
            continue
        else:
            if column == COLUMNS:
                row, column = row + 1, 0
                if row == len(lines):
                    lines.append("")
            lines[row] = lines[row].ljust(column)[:column] + token + lines[row][column + 1:]
            column += 1
    return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"


if __name__ == "__main__":
    text = "".join(f"$ {command}\n" + screen(run(command, list(answers))) for command, answers in STEPS)
    text = re.sub(r"\bghp_[\w-]+", "ghp_XXXX", text)
    text = re.sub(r"\b\d+ [A-Z][a-z][a-z] \d{4}\b", "26 Feb 2027", text)
    print(re.sub(r"\b\d+ [A-Z][a-z][a-z]\b(?! \d)", "26 Feb", text), end="")
