"""Searches the memory, the environments and the files of a sandbox for secrets, inside of it. The secrets are given as their
lengths and hashes, because the search would find its own arguments.
"""
import hashlib
import os
import re


def sum_of(secret):
    """The length and hash of a secret, which are not secret."""
    return f"{len(secret)}:{hashlib.sha256(secret.encode()).hexdigest()}"


def found(sums):
    """Returns the places that contain a secret with one of these hashes."""
    wanted = {}
    for one in sums:
        length, digest = one.split(":")
        wanted.setdefault(int(length), set()).add(digest)
    words = re.compile(rb"[A-Za-z0-9._~+/=-]{%d,}" % min(wanted))
    places = set()

    def search(data, place):
        for match in words.finditer(data):
            for length, digests in wanted.items():
                for start in range(match.start(), match.end() - length + 1):
                    if hashlib.sha256(data[start:start + length]).hexdigest() in digests:
                        places.add(place)

    searched = 0
    with open("/proc/self/maps") as file:
        areas = file.read().splitlines()
    with open("/proc/self/mem", "rb", 0) as memory:
        for line in areas:
            area, rights, _, _, inode, *_ = line.split()
            # A mapped file is searched as a file, if it is not part of the system.
            if "r" not in rights or (inode != "0" and "w" not in rights) or "[v" in line:
                continue
            start, end = (int(part, 16) for part in area.split("-"))
            try:
                memory.seek(start)
                data = memory.read(end - start)
            except OSError:
                continue
            searched += len(data)
            search(data, "memory")
    assert searched > 100000, "the memory was not read"
    for process in filter(str.isdigit, os.listdir("/proc")):
        for name in ("environ", "cmdline"):
            try:
                with open(f"/proc/{process}/{name}", "rb") as file:
                    search(file.read(), name)
            except OSError:
                pass
    for folder, folders, names in os.walk("/"):
        if folder == "/":
            folders[:] = [name for name in folders if name not in ("proc", "dev", "sys", "usr", "lib", "lib64", "bin")]
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    search(file.read(), "files")
    return " ".join(sorted(places)) or "nothing"
