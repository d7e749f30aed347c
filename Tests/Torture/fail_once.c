// Makes one call of one kind fail once, in the program FAIL_ONCE_PROGRAM and after its start: for LD_PRELOAD.
//
//   FAIL_ONCE=FILE          counts go into this file of `struct report`, which exists
//   FAIL_ONCE_CALL=KIND     the number of a kind in `enum kind`; -1 only counts
//   FAIL_ONCE_NUMBER=N      the N-th call of this kind fails; with 0, each call fails
//   FAIL_ONCE_ERRNO=E       with this error
#define _GNU_SOURCE
// The names with 64 are functions of their own here.
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// torture.py has the same order.
enum kind { OPEN, READ, WRITE, FSYNC, RENAME, LOCK, STAT, MMAP, CONNECT, SEND, RECV, RANDOM, MALLOC, KINDS };

struct report {
    _Atomic unsigned long counts[KINDS];
    // Whether the call was reached, and what it was about.
    unsigned long failed;
    char what[256];
};

static struct report *report;
static int is_active, kind_to_fail = -1, error;
static unsigned long number;

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static void describe(const char *path, int descriptor, void *caller) {
    char link[64], target[160] = "";
    if (!path && descriptor >= 0) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        long length = syscall(SYS_readlink, link, target, sizeof target - 1);
        snprintf(target + (length > 0 ? length : 0), 32, " (%d)", descriptor);
    }
    Dl_info object = {0};
    const char *name = dladdr(caller, &object) && object.dli_fname ? object.dli_fname : "?";
    const char *last = strrchr(name, '/');
    snprintf(report->what, sizeof report->what, "%s by %s", path ? path : target, last ? last + 1 : name);
}

static int fails(enum kind kind, const char *path, int descriptor, void *caller) {
    if (!is_active) return 0;
    unsigned long count = atomic_fetch_add(&report->counts[kind], 1) + 1;
    if ((int)kind != kind_to_fail || (number && count != number)) return 0;
    report->failed = 1;
    if (kind != MALLOC) describe(path, descriptor, caller);
    errno = error;
    return 1;
}
#define FAILS(kind, path, descriptor) fails(kind, path, descriptor, __builtin_return_address(0))

// MARK: The start

static int (*real_main)(int, char **, char **);

static int counted_main(int count, char **arguments, char **variables) {
    const char *file = getenv("FAIL_ONCE"), *program = getenv("FAIL_ONCE_PROGRAM");
    if (file && program && strcmp(program, program_invocation_short_name) == 0) {
        int descriptor = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC);
        void *memory = (void *)syscall(SYS_mmap, 0, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        syscall(SYS_close, descriptor);
        if (memory == MAP_FAILED) abort();
        report = memory;
        kind_to_fail = atoi(getenv("FAIL_ONCE_CALL"));
        number = strtoul(getenv("FAIL_ONCE_NUMBER"), NULL, 10);
        error = atoi(getenv("FAIL_ONCE_ERRNO"));
    }
    // What this program starts is not counted.
    unsetenv("LD_PRELOAD");
    is_active = report != NULL;
    return real_main(count, arguments, variables);
}

int __libc_start_main(
    int (*main)(int, char **, char **), int count, char **arguments, void (*start)(void), void (*end)(void),
    void (*loader_end)(void), void *stack) {
    __typeof__(__libc_start_main) *real = (__typeof__(__libc_start_main) *)dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return real(counted_main, count, arguments, start, end, loader_end, stack);
}

// MARK: Files

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { \
        va_list list; \
        va_start(list, flags); \
        mode = va_arg(list, mode_t); \
        va_end(list); \
    }

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        MODE(flags) \
        return FAILS(OPEN, path, -1) ? -1 : real(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int directory, const char *path, int flags, ...) { \
        REAL(name); \
        MODE(flags) \
        return FAILS(OPEN, path, -1) ? -1 : real(directory, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

#define FOPEN(name) \
    FILE *name(const char *path, const char *mode) { \
        REAL(name); \
        return FAILS(OPEN, path, -1) ? NULL : real(path, mode); \
    }
FOPEN(fopen)
FOPEN(fopen64)

ssize_t read(int descriptor, void *bytes, size_t count) {
    REAL(read);
    return FAILS(READ, NULL, descriptor) ? -1 : real(descriptor, bytes, count);
}

#define PREAD(name, offset_type) \
    ssize_t name(int descriptor, void *bytes, size_t count, offset_type offset) { \
        REAL(name); \
        return FAILS(READ, NULL, descriptor) ? -1 : real(descriptor, bytes, count, offset); \
    }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    REAL(write);
    return FAILS(WRITE, NULL, descriptor) ? -1 : real(descriptor, bytes, count);
}

#define PWRITE(name, offset_type) \
    ssize_t name(int descriptor, const void *bytes, size_t count, offset_type offset) { \
        REAL(name); \
        return FAILS(WRITE, NULL, descriptor) ? -1 : real(descriptor, bytes, count, offset); \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define SYNC(name) \
    int name(int descriptor) { \
        REAL(name); \
        return FAILS(FSYNC, NULL, descriptor) ? -1 : real(descriptor); \
    }
SYNC(fsync)
SYNC(fdatasync)

int rename(const char *old, const char *new) {
    REAL(rename);
    return FAILS(RENAME, new, -1) ? -1 : real(old, new);
}

int renameat(int from, const char *old, int to, const char *new) {
    REAL(renameat);
    return FAILS(RENAME, new, -1) ? -1 : real(from, old, to, new);
}

int flock(int descriptor, int operation) {
    REAL(flock);
    return FAILS(LOCK, NULL, descriptor) ? -1 : real(descriptor, operation);
}

#define FCNTL(name) \
    int name(int descriptor, int command, ...) { \
        REAL(name); \
        va_list list; \
        va_start(list, command); \
        void *argument = va_arg(list, void *); \
        va_end(list); \
        int is_lock = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW; \
        return is_lock && FAILS(LOCK, NULL, descriptor) ? -1 : real(descriptor, command, argument); \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

#define STATUS(name, type) \
    int name(const char *path, struct type *status) { \
        REAL(name); \
        return FAILS(STAT, path, -1) ? -1 : real(path, status); \
    }
STATUS(stat, stat)
STATUS(stat64, stat64)
STATUS(lstat, stat)
STATUS(lstat64, stat64)

#define FSTATUS(name, type) \
    int name(int descriptor, struct type *status) { \
        REAL(name); \
        return FAILS(STAT, NULL, descriptor) ? -1 : real(descriptor, status); \
    }
FSTATUS(fstat, stat)
FSTATUS(fstat64, stat64)

#define STATUSAT(name, type) \
    int name(int directory, const char *path, struct type *status, int flags) { \
        REAL(name); \
        return FAILS(STAT, path, -1) ? -1 : real(directory, path, status, flags); \
    }
STATUSAT(fstatat, stat)
STATUSAT(fstatat64, stat64)

int access(const char *path, int mode) {
    REAL(access);
    return FAILS(STAT, path, -1) ? -1 : real(path, mode);
}

int faccessat(int directory, const char *path, int mode, int flags) {
    REAL(faccessat);
    return FAILS(STAT, path, -1) ? -1 : real(directory, path, mode, flags);
}

// MARK: Memory

#define MAP(name, offset_type) \
    void *name(void *place, size_t length, int protection, int flags, int descriptor, offset_type offset) { \
        REAL(name); \
        return FAILS(MMAP, NULL, descriptor) ? MAP_FAILED : real(place, length, protection, flags, descriptor, offset); \
    }
MAP(mmap, off_t)
MAP(mmap64, off64_t)

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *malloc(size_t size) { return FAILS(MALLOC, NULL, -1) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return FAILS(MALLOC, NULL, -1) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return FAILS(MALLOC, NULL, -1) ? NULL : __libc_realloc(old, size); }

// MARK: Network

int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
    REAL(connect);
    return FAILS(CONNECT, NULL, descriptor) ? -1 : real(descriptor, address, length);
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
    REAL(send);
    return FAILS(SEND, NULL, descriptor) ? -1 : real(descriptor, bytes, count, flags);
}

ssize_t sendto(
    int descriptor, const void *bytes, size_t count, int flags, const struct sockaddr *to, socklen_t length) {
    REAL(sendto);
    return FAILS(SEND, NULL, descriptor) ? -1 : real(descriptor, bytes, count, flags, to, length);
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    REAL(sendmsg);
    return FAILS(SEND, NULL, descriptor) ? -1 : real(descriptor, message, flags);
}

ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
    REAL(recv);
    return FAILS(RECV, NULL, descriptor) ? -1 : real(descriptor, bytes, count, flags);
}

ssize_t recvfrom(
    int descriptor, void *bytes, size_t count, int flags, struct sockaddr *from, socklen_t *length) {
    REAL(recvfrom);
    return FAILS(RECV, NULL, descriptor) ? -1 : real(descriptor, bytes, count, flags, from, length);
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
    REAL(recvmsg);
    return FAILS(RECV, NULL, descriptor) ? -1 : real(descriptor, message, flags);
}

// MARK: Random bytes, and calls by their number

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
    REAL(getrandom);
    return FAILS(RANDOM, NULL, -1) ? -1 : real(bytes, count, flags);
}

int getentropy(void *bytes, size_t count) {
    REAL(getentropy);
    return FAILS(RANDOM, NULL, -1) ? -1 : real(bytes, count);
}

long syscall(long call, ...) {
    REAL(syscall);
    va_list list;
    va_start(list, call);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long);
    long e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (call == SYS_getrandom && FAILS(RANDOM, NULL, -1)) return -1;
    if (call == SYS_renameat2 && FAILS(RENAME, (const char *)d, -1)) return -1;
    if (call == SYS_openat && FAILS(OPEN, (const char *)b, -1)) return -1;
    return real(call, a, b, c, d, e, f);
}
