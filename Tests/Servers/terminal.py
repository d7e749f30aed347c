#!/usr/bin/env python3
"""Runs a command on a terminal of its own and answers what it asks.

Usage: terminal.py [QUESTION=ANSWER]… -- COMMAND…
Each answer is typed once its question has been shown, in this order. What the terminal showed goes to standard output,
and the exit status is the command's; 98 when a question never came.
"""

import os
import pty
import select
import sys
import time


def main():
    split = sys.argv.index("--")
    answers = [pair.split("=", 1) for pair in sys.argv[1:split]]
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(sys.argv[split + 1], sys.argv[split + 1 :])
    shown = b""
    seen = 0
    deadline = time.monotonic() + 60
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
        if answers and (at := shown.find(answers[0][0].encode(), seen)) >= 0:
            seen = at + len(answers[0][0].encode())
            os.write(terminal, answers.pop(0)[1].encode() + b"\n")
    sys.stdout.buffer.write(shown)
    sys.stdout.flush()
    _, status = os.waitpid(child, 0)
    sys.exit(98 if answers else os.waitstatus_to_exitcode(status) % 256)


main()
