#!/usr/bin/env python3
"""Runs a command on a terminal of its own and answers what it asks.

Usage: terminal.py [QUESTION=ANSWER]… -- COMMAND…
Each answer is typed once its question has been shown, in this order: a line, or a key alone, ^C or ^D. A QUESTION without an
equals sign is only waited for. What the terminal showed goes to standard output, and the exit status is the command's, with
128 and the number of a signal that ended it; 98 when a question never came.
"""

import os
import pty
import select
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
            if equals:
                os.write(terminal, KEYS.get(answer, answer.encode() + b"\n"))
                break
    # Whoever waits still for an answer sees the terminal go.
    os.close(terminal)
    sys.stdout.buffer.write(shown)
    sys.stdout.flush()
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    sys.exit(98 if answers else code if code >= 0 else 128 - code)


main()
