#!/usr/bin/env python3
"""The first minute with authctl, as asciinema's recordings have it (version 2 of its file format).

    record.py FILE.cast            runs it in a terminal, and writes what was shown and when
    record.py --text FILE.cast     prints what is on the screen at its end, codes and tokens masked

What is typed comes at a person's pace, and nothing is waited for longer than a moment: times are those of a story that is
told, not of a machine."""
import json
import os
import pty
import re
import select
import struct
import sys
import termios
import time
import fcntl

COLUMNS, ROWS = 80, 24
#: Typed commands, and the answers to their prompts.
STEPS = [
    ("authctl setup github.com", [("[y/N] ", "n"), ("[Y/n] ", ""), ("Client ID: ", "Ov23liEXAMPLE")]),
    ("authctl token", []),
    ("authctl status", []),
]


def run(command, answers, show):
    """Runs a command in a terminal, and passes its output to `show`."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
        os.execvp("bash", ["bash", "-c", f"stty cols {COLUMNS} rows {ROWS}; {command}"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    shown, seen, typed, last = b"", 0, "", time.monotonic() + 60
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
        # Each letter of an echoed answer arrives separately.
        text = part.decode("utf-8", "replace")
        show(text, typed)
        typed = ""
        if answers and (at := shown.find(answers[0][0].encode(), seen)) >= 0:
            seen = at + len(answers[0][0])
            typed = answers.pop(0)[1]
            os.write(terminal, typed.encode() + b"\n")
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status or answers:
        sys.exit(f"{command}: exit {status}, not asked {answers}:\n{shown.decode()}")


def record(path):
    events, now = [], 0.0

    def later(seconds):
        nonlocal now
        now = round(now + seconds, 3)

    def show(text, typed=""):
        if typed and text.startswith(typed):
            later(0.8)
            for letter in typed:
                later(0.06)
                events.append([now, "o", letter])
            text = text[len(typed):]
        later(0.25)
        if text:
            events.append([now, "o", text])

    for command, answers in STEPS:
        later(0.8)
        show("$ ")
        for letter in command:
            later(0.05)
            events.append([now, "o", letter])
        show("\r\n")
        run(command, list(answers), show)
    later(1)
    show("$ ")
    header = {"version": 2, "width": COLUMNS, "height": ROWS, "title": "One minute to a token", "env": {"TERM": "xterm-256color"}}
    with open(path, "w") as file:
        for line in [header] + events:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def events(path):
    """Returns the output with its times in seconds."""
    with open(path) as file:
        return [(event[0], event[2]) for event in map(json.loads, list(file)[1:])]


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
    return [line.rstrip() for line in lines]


def text(path):
    """Returns the screen with random values and times masked, so that it is the same for each recording."""
    shown = "\n".join(screen("".join(text for _, text in events(path)))) + "\n"
    shown = re.sub(r"\b[B-Z]{4}-[B-Z]{4}\b", "XXXX-XXXX", shown)
    shown = re.sub(r"\bgho_[\w-]+", "gho_XXXX", re.sub(r"\b[0-9a-f]{28}\b", "0" * 28, shown))
    return re.sub(r"\b\d+ (s|min) (ago|left)", r"0 \1 \2", shown)


if __name__ == "__main__":
    if sys.argv[1] == "--text":
        print(text(sys.argv[2]), end="")
    else:
        record(sys.argv[1])
