#!/usr/bin/env python3
"""Runs a command without access to the kernel's keyrings, as with Docker's default seccomp profile: add_key, request_key and
keyctl fail.

Usage: without_keys.py EPERM|ENOSYS|EDQUOT COMMAND…
"""

import ctypes
import errno
import os
import platform
import struct
import sys

NUMBERS = {"x86_64": (248, 249, 250), "aarch64": (217, 218, 219)}[platform.machine()]
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERRNO = 0x7FFF0000, 0x00050000


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def main():
    refusal = ERRNO | getattr(errno, sys.argv[1])
    # The system call number is the first word of seccomp_data (seccomp(2)).
    steps = [(LOAD, 0, 0, 0)]
    steps += [(EQUAL, len(NUMBERS) - place, 0, number) for place, number in enumerate(NUMBERS)]
    steps += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, refusal)]
    program = Program(len(steps), b"".join(struct.pack("=HBBI", *step) for step in steps))
    libc = ctypes.CDLL(None, use_errno=True)
    for call in [(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0)]:
        if libc.prctl(*call) != 0:
            sys.exit(f"prctl: {os.strerror(ctypes.get_errno())}")
    os.execvp(sys.argv[2], sys.argv[2:])


main()
