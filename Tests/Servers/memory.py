"""Searches the memory, the environment and the files of a process and of all its descendants for the text on standard input.
Prints where it was found, and exits with 1 if it was not found.

    memory.py PID
"""
import os
import sys

wanted = sys.stdin.buffer.read().strip()
found = set()


def family(process):
    with open(f"/proc/{process}/task/{process}/children") as file:
        children = file.read().split()
    return [process] + [one for child in children for one in family(child)]


def search(process):
    with open(f"/proc/{process}/environ", "rb") as file:
        if wanted in file.read():
            found.add("environment")
    with open(f"/proc/{process}/cmdline", "rb") as file:
        if wanted in file.read():
            found.add("arguments")
    searched = 0
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
        for line in maps:
            area, rights, *rest = line.split()
            if "r" not in rights or rest[-1] in ("[vvar]", "[vsyscall]", "[vvar_vclock]"):
                continue
            start, end = (int(part, 16) for part in area.split("-"))
            memory.seek(start)
            data = b""
            while start + len(data) < end and (part := memory.read(end - start - len(data))):
                data += part
            searched += len(data)
            if wanted in data:
                found.add("memory")
    assert searched > 100000, "the memory was not read"
    root = f"/proc/{process}/root"
    for folder, folders, names in os.walk(root):
        if folder == root:
            folders[:] = [name for name in folders if name not in ("proc", "dev", "sys", "usr", "lib", "lib64", "bin")]
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    if wanted in file.read():
                        found.add("files")


for one in family(sys.argv[1]):
    search(one)
print(*sorted(found))
sys.exit(not found)
