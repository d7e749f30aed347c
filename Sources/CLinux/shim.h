#ifndef AUTHCTL_CLINUX_SHIM_H
#define AUTHCTL_CLINUX_SHIM_H

// What Swift's module of the C library leaves out, because it is variadic or GNU's own, or gets wrong.

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

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

#endif
