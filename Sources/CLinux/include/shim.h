#ifndef AUTHCTL_CLINUX_SHIM_H
#define AUTHCTL_CLINUX_SHIM_H

// Functions that Swift's Glibc module omits, because they are variadic or GNU extensions, or imports incorrectly.

#include <dirent.h>
#include <errno.h>
#include <linux/keyctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The arguments of this process. Swift's `CommandLine` reads them from /proc, which a chroot or a container may not have.
int clinux_argument_count(void);

// The argument at an index, as passed to exec(2); NULL after the last one.
const char *clinux_argument(int index);

// Replaces this process with a command that has these variables (execvp(3)). Returns errno.
static inline int clinux_execute(char *const words[], char **variables) {
    extern char **environ;
    char **own = environ;
    environ = variables;
    execvp(words[0], words);
    environ = own;
    return errno;
}

// The number of processors that this process may run on (sched_getaffinity(2)).
int clinux_available_cores(void);

// Prevents core dumps, and access to this process's memory by processes other than root's (PR_SET_DUMPABLE in
// prctl(2)). Not inherited by executed programs. Returns 0, or -1 with errno.
static inline int clinux_hide_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// Renames within a directory unless the new name exists (renameat2(2)). Returns 0, or -1 with errno: EEXIST, or EINVAL
// or ENOSYS if the file system or the kernel does not support it.
static inline int clinux_rename_new(int directory, const char *old_name, const char *new_name) {
    return (int)syscall(SYS_renameat2, directory, old_name, directory, new_name, 1u /* RENAME_NOREPLACE */);
}

// A descriptor that identifies a file, but cannot read or write it (O_PATH in open(2)). Closing it does not release the
// process's locks on the file. Returns -1 with errno.
static inline int clinux_open_path(int directory, const char *name, int flags) {
    return (int)syscall(SYS_openat, directory, name, flags | 010000000 /* O_PATH */, 0);
}

// The name of a directory entry, valid until the next entry is read. Swift would copy the 256 bytes that are declared
// for the member, but an entry is only as long as its name.
static inline const char *clinux_entry_name(const struct dirent *entry) { return entry->d_name; }

// The processor time that this thread has used, in microseconds (getrusage(2)); -1 with errno.
long clinux_thread_work(void);

// Calls `body`. If the limit of the stack (ulimit -s) is below 1 MB, it runs on a thread with 8 MB, and so does each thread that
// is started later: SQLite and the parser of arguments need more than 96 KB.
void clinux_with_stack(void (*body)(void));

// The user of the process at the other end of this loopback connection, from sock_diag(7). Reading /proc/net/tcp would
// take 6 ms, because it lists every connection of the machine.
enum { CLINUX_PEER_CLOSED = -1, CLINUX_PEER_UNKNOWN = -2 };
long clinux_peer_user(int descriptor);

// The process at the other end of this Unix socket, and its user, at the time when it connected or listened
// (SO_PEERCRED in unix(7)). Returns 0, or -1 with errno.
int clinux_socket_peer(int descriptor, pid_t *process, uid_t *user);

// A new stream socket; executed programs do not inherit it (socket(2)). Returns -1 with errno.
int clinux_stream_socket(int family);

// The next connection of a listening socket; executed programs do not inherit it (accept4(2)). Returns -1 with errno.
int clinux_accept(int listener);

// A descriptor that becomes readable after a write to it (eventfd(2)); -1 with errno.
int clinux_event(void);

// Where `wanted` begins in `bytes` (memmem(3)), or -1.
long clinux_find(const void *bytes, size_t length, const void *wanted, size_t wanted_length);

// System calls for kernel keys of type `user` (keyrings(7)), without libkeyutils, which each process would have to
// load. Each returns a key, a length or 0, or -1 with errno.

// Creates a key in this process's keyring, which ends with the process.
static inline int clinux_make_key(const char *name, const void *bytes, size_t length) {
    return (int)syscall(SYS_add_key, "user", name, bytes, length, KEY_SPEC_PROCESS_KEYRING);
}

// Sets the key's expiry in seconds from now.
static inline int clinux_set_key_timeout(int key, unsigned seconds) {
    return (int)syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds);
}

// Allows only possessors to view, read, search and link the key, and allows nothing else.
static inline int clinux_protect_key(int key) { return (int)syscall(SYS_keyctl, KEYCTL_SETPERM, key, 0x1B000000u); }

// Links the key into the user's keyring, and replaces a key of the same name.
static inline int clinux_share_key(int key) {
    return (int)syscall(SYS_keyctl, KEYCTL_LINK, key, KEY_SPEC_USER_KEYRING);
}

// Searches the user's keyring for the key. If `is_taken`, links it into this process's keyring, so that the process
// possesses it.
static inline int clinux_find_key(const char *name, int is_taken) {
    return (int)syscall(
        SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", name, is_taken ? KEY_SPEC_PROCESS_KEYRING : 0);
}

// Unlinks the key from this process's keyring.
static inline int clinux_unlink_key(int key) {
    return (int)syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_PROCESS_KEYRING);
}

static inline int clinux_read_key(int key, void *bytes, size_t length) {
    return (int)syscall(SYS_keyctl, KEYCTL_READ, key, bytes, length);
}

// Invalidates the key for all processes immediately.
static inline int clinux_invalidate_key(int key) { return (int)syscall(SYS_keyctl, KEYCTL_INVALIDATE, key); }

// Of ThreadSanitizer, in its builds only: what follows an acquire happened after the release of the same address.
void __tsan_acquire(void *address);
void __tsan_release(void *address);

#endif
