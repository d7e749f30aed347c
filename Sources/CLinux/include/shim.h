#ifndef AUTHCTL_CLINUX_SHIM_H
#define AUTHCTL_CLINUX_SHIM_H

// What Swift's module of the C library leaves out, because it is variadic or GNU's own, or gets wrong.

#include <dirent.h>
#include <linux/keyctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// The arguments of this process. Swift's `CommandLine` reads them from /proc, which a chroot or a container may not have.
int clinux_argument_count(void);

// One of them, as the caller of exec(2) wrote it; NULL after the last one.
const char *clinux_argument(int index);

// The number of processors that this process may run on (sched_getaffinity(2)).
int clinux_available_cores(void);

// Nobody but root may look into this process or get a core dump of it (PR_SET_DUMPABLE in prctl(2)); a program that
// this one becomes or starts can be looked into again. Returns 0, or -1 with errno.
static inline int clinux_hide_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// Renames within a directory unless the new name is taken (renameat2(2)). Returns 0, or -1 with errno: EEXIST, or EINVAL
// or ENOSYS where the file system or the kernel cannot.
static inline int clinux_rename_new(int directory, const char *old_name, const char *new_name) {
    return (int)syscall(SYS_renameat2, directory, old_name, directory, new_name, 1u /* RENAME_NOREPLACE */);
}

// A descriptor that says what stands at a name and can do nothing with it (O_PATH in open(2)): when it is closed, the
// process's locks on the file stay. Returns -1 with errno.
static inline int clinux_look_at(int directory, const char *name, int flags) {
    return (int)syscall(SYS_openat, directory, name, flags | 010000000 /* O_PATH */, 0);
}

// The name of an entry of a directory, good until the next one is read. Swift takes the member for the 256 bytes that it is
// declared with and copies them all, from an entry that is as long as its name.
static inline const char *clinux_entry_name(const struct dirent *entry) { return entry->d_name; }

// The processor time that this thread has used, in microseconds (getrusage(2)); -1 with errno.
static inline long clinux_thread_work(void) {
    struct rusage usage;
    if (getrusage((__typeof__(RUSAGE_SELF))1 /* RUSAGE_THREAD */, &usage) != 0) return -1;
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

// The user of the process that has the other end of this loopback connection, as the kernel finds it (sock_diag(7)): reading
// /proc/net/tcp takes 6 ms, as it has every connection of the machine.
enum { CLINUX_PEER_CLOSED = -1, CLINUX_PEER_UNKNOWN = -2 };
long clinux_peer_user(int descriptor);

// The process that has the other end of this Unix socket, and its user, as both were when it connected or listened
// (SO_PEERCRED in unix(7)). Returns 0, or -1 with errno.
int clinux_socket_peer(int descriptor, pid_t *process, uid_t *user);

// A descriptor that can be read after something was written to it (eventfd(2)); -1 if there is none.
int clinux_event(void);

// Where `wanted` begins in `bytes` (memmem(3)), or -1.
long clinux_find(const void *bytes, size_t length, const void *wanted, size_t wanted_length);

// The kernel's keys of type `user` (keyrings(7)), by its calls themselves: libkeyutils would be one more library in each
// process. Each returns a key or a length, or 0, or -1 with errno.

// Makes a key in the keyring of this process, which ends with it.
static inline int clinux_make_key(const char *name, const void *bytes, size_t length) {
    return (int)syscall(SYS_add_key, "user", name, bytes, length, KEY_SPEC_PROCESS_KEYRING);
}

// Gives it an end, in so many seconds.
static inline int clinux_end_key(int key, unsigned seconds) {
    return (int)syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds);
}

// Whoever possesses it may view, read, find and link it, and nobody may do anything else.
static inline int clinux_protect_key(int key) { return (int)syscall(SYS_keyctl, KEYCTL_SETPERM, key, 0x1B000000u); }

// Puts it into the user's keyring, in the place of one of the same name.
static inline int clinux_share_key(int key) {
    return (int)syscall(SYS_keyctl, KEYCTL_LINK, key, KEY_SPEC_USER_KEYRING);
}

// Looks for it in the user's keyring; where it is to be taken, it is linked into this process's, which then possesses it.
static inline int clinux_find_key(const char *name, int is_taken) {
    return (int)syscall(
        SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", name, is_taken ? KEY_SPEC_PROCESS_KEYRING : 0);
}

// Takes it out of this process's keyring again.
static inline int clinux_let_go_of_key(int key) {
    return (int)syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_PROCESS_KEYRING);
}

static inline int clinux_read_key(int key, void *bytes, size_t length) {
    return (int)syscall(SYS_keyctl, KEYCTL_READ, key, bytes, length);
}

// Takes it away from everybody at once.
static inline int clinux_forget_key(int key) { return (int)syscall(SYS_keyctl, KEYCTL_INVALIDATE, key); }

#endif
