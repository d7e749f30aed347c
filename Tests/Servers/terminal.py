#!/usr/bin/env python3
"""Runs a command on a new terminal and answers its prompts.

Usage: terminal.py [QUESTION=ANSWER]… -- COMMAND…
Each answer is typed after its question was shown, in this order: a line, or the key ^C or ^D. An ANSWER that begins with
`!` is a shell command: its output is typed, and its input is what the terminal has shown. For a QUESTION without an
equals sign, nothing is typed. Prints the terminal's output. The exit status is the command's, 128 plus the number of the
signal that ended it, or 98 if a question was not shown.
"""

import os
import pty
import select
import subprocess
import sys
import time

KEYS = {"^C": b"\x03", "^D": b"\x04"}


def main():
    split = sys.argv.index("--")
    answers = [pair.partition("=") for pair in sys.argv[1:split]]
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(sys.argv[split + 1], sys.argv[split + 1 :])
    shown = b""
    seen = 0
    deadline = time.monotonic() + float(os.environ["PATIENCE"])
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 1)
        if ready:
            try:
                part = os.read(terminal, 65536)
            except OSError:
                part = b""
            if not part:
                break
            shown += part
        while answers and (at := shown.find(answers[0][0].encode(), seen)) >= 0:
            question, equals, answer = answers.pop(0)
            seen = at + len(question.encode())
            if answer.startswith("!"):
                answer = subprocess.run(answer[1:], shell=True, check=True, input=shown, stdout=subprocess.PIPE).stdout.decode().strip()
            if equals:
                os.write(terminal, KEYS.get(answer, answer.encode() + b"\n"))
                break
    # A program that still waits for an answer gets a hangup.
    os.close(terminal)
    sys.stdout.buffer.write(shown)
    sys.stdout.flush()
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    sys.exit(98 if answers else code if code >= 0 else 128 - code)


main()
