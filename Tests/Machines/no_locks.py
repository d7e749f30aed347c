"""A file system in memory, through FUSE, whose locks fail with ENOSYS, as some network file systems' do.

    no_locks.py DIRECTORY     mounts it there, and serves it until it is unmounted; as root
"""
import ctypes
import errno
import os
import stat
import struct
import sys
import time

# The operations of linux/fuse.h that it answers.
(LOOKUP, FORGET, GETATTR, SETATTR, MKDIR, UNLINK, RMDIR, RENAME, OPEN, READ, WRITE, STATFS, RELEASE, FSYNC, FLUSH, INIT,
 OPENDIR, READDIR, RELEASEDIR, FSYNCDIR, GETLK, SETLK, SETLKW, CREATE, BATCH_FORGET, RENAME2) = (
    1, 2, 3, 4, 9, 10, 11, 12, 14, 15, 16, 17, 18, 20, 25, 26, 27, 28, 29, 30, 31, 32, 33, 35, 42, 45)
POSIX_LOCKS, BIG_WRITES, FLOCK_LOCKS = 1 << 1, 1 << 5, 1 << 10
SIZE, MODE, OWNER, GROUP = 1 << 3, 1 << 0, 1 << 1, 1 << 2


class Node:
    def __init__(self, mode, owner, group):
        self.mode, self.owner, self.group, self.time = mode, owner, group, int(time.time())
        self.entries, self.bytes = {}, bytearray()


class Files:
    def __init__(self):
        self.nodes = {1: Node(stat.S_IFDIR | 0o755, 0, 0)}

    def attributes(self, number):
        node = self.nodes[number]
        return struct.pack(
            "<QQQQQQIIIIIIIIII", number, len(node.bytes), (len(node.bytes) + 511) // 512, node.time, node.time, node.time, 0, 0, 0,
            node.mode, 1, node.owner, node.group, 0, 4096, 0)

    def entry(self, number):
        return struct.pack("<QQQQII", number, 0, 0, 0, 0, 0) + self.attributes(number)

    def made(self, parent, name, mode, owner, group):
        number = max(self.nodes) + 1
        self.nodes[number] = Node(mode, owner, group)
        self.nodes[parent].entries[name] = number
        return number

    def answer(self, operation, number, owner, group, body):
        """The bytes of the answer; None for an operation that has none. An OSError is the error."""
        node = self.nodes.get(number)
        if operation == INIT:
            major, minor, ahead, flags = struct.unpack_from("<IIII", body)
            return struct.pack("<IIIIHHIIHHI7I", 7, min(minor, 31), ahead, flags & (POSIX_LOCKS | FLOCK_LOCKS | BIG_WRITES),
                               12, 10, 1 << 17, 1, 0, 0, 0, *[0] * 7)
        if operation in (GETLK, SETLK, SETLKW):
            raise OSError(errno.ENOSYS, "")
        if operation == LOOKUP:
            name = body.rstrip(b"\0")
            if name not in node.entries:
                raise OSError(errno.ENOENT, "")
            return self.entry(node.entries[name])
        if operation in (FORGET, BATCH_FORGET):
            return None
        if operation == GETATTR:
            return struct.pack("<QII", 0, 0, 0) + self.attributes(number)
        if operation == SETATTR:
            valid, _, _, size, _, _, _, _, _, _, _, _, mode, _, user, users, _ = struct.unpack_from("<IIQQQQQQIIIIIIIII", body)
            if valid & SIZE:
                node.bytes = node.bytes[:size] + bytes(max(0, size - len(node.bytes)))
            node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(mode) if valid & MODE else node.mode
            node.owner = user if valid & OWNER else node.owner
            node.group = users if valid & GROUP else node.group
            return struct.pack("<QII", 0, 0, 0) + self.attributes(number)
        if operation == MKDIR:
            mode, mask = struct.unpack_from("<II", body)
            return self.entry(self.made(number, body[8:].rstrip(b"\0"), stat.S_IFDIR | (mode & ~mask), owner, group))
        if operation == CREATE:
            _, mode, mask, _ = struct.unpack_from("<IIII", body)
            child = self.made(number, body[16:].rstrip(b"\0"), stat.S_IFREG | (stat.S_IMODE(mode) & ~mask), owner, group)
            return self.entry(child) + struct.pack("<QII", child, 0, 0)
        if operation in (UNLINK, RMDIR):
            child = node.entries.get(body.rstrip(b"\0"))
            if child is None:
                raise OSError(errno.ENOENT, "")
            if operation == RMDIR and self.nodes[child].entries:
                raise OSError(errno.ENOTEMPTY, "")
            # The bytes stay for those who have it open.
            del node.entries[body.rstrip(b"\0")]
            return b""
        if operation in (RENAME, RENAME2):
            start = 8 if operation == RENAME else 16
            (target,) = struct.unpack_from("<Q", body)
            keeps = operation == RENAME2 and struct.unpack_from("<I", body, 8)[0] & 1
            old, new = body[start:].split(b"\0")[:2]
            if keeps and new in self.nodes[target].entries:
                raise OSError(errno.EEXIST, "")
            self.nodes[target].entries[new] = node.entries.pop(old)
            return b""
        if operation in (OPEN, OPENDIR):
            return struct.pack("<QII", number, 0, 0)
        if operation == READ:
            _, offset, size = struct.unpack_from("<QQI", body)
            return bytes(node.bytes[offset:offset + size])
        if operation == WRITE:
            _, offset, size = struct.unpack_from("<QQI", body)
            node.bytes += bytes(max(0, offset - len(node.bytes)))
            node.bytes[offset:offset + size] = body[40:40 + size]
            return struct.pack("<II", size, 0)
        if operation == READDIR:
            _, offset, size = struct.unpack_from("<QQI", body)
            result = b""
            for place, (name, child) in enumerate(list(node.entries.items())[offset:], offset + 1):
                kind = stat.S_IFMT(self.nodes[child].mode) >> 12
                record = struct.pack("<QQII", child, place, len(name), kind) + name
                record += bytes(-len(record) % 8)
                if len(result) + len(record) > size:
                    break
                result += record
            return result
        if operation == STATFS:
            return struct.pack("<QQQQQIIII6I", 1 << 20, 1 << 19, 1 << 19, 1 << 20, 1 << 19, 4096, 255, 4096, 0, *[0] * 6)
        if operation in (RELEASE, RELEASEDIR, FSYNC, FSYNCDIR, FLUSH):
            return b""
        raise OSError(errno.ENOSYS, "")


def main():
    libc = ctypes.CDLL(None, use_errno=True)
    device = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions".encode()
    if libc.mount(b"no_locks", os.fsencode(sys.argv[1]), b"fuse", 0, options) != 0:
        sys.exit(f"cannot mount: {os.strerror(ctypes.get_errno())}")
    if os.fork() != 0:
        os._exit(0)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(null, descriptor)
    files = Files()
    while True:
        try:
            request = os.read(device, 1 << 18)
        except OSError as error:
            if error.errno == errno.ENODEV:
                return
            raise
        length, operation, unique, number, owner, group = struct.unpack_from("<IIQQII", request)
        code, answer = 0, b""
        try:
            answer = files.answer(operation, number, owner, group, request[40:length])
        except OSError as error:
            code = -error.errno
        if answer is not None:
            os.write(device, struct.pack("<IiQ", 16 + len(answer), code, unique) + answer)


main()
