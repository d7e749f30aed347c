#ifndef AUTHCTL_CLINUX_SHIM_H
#define AUTHCTL_CLINUX_SHIM_H

// Calls of the kernel that Swift's module of the C library leaves out: they are variadic, or GNU's own.

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

#endif
