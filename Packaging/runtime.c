// Functions that the static runtimes of the release call (docs/decisions/044). Only `make release` links this
// file. The first three are versions of glibc 2.35: with these, the programs start with glibc 2.34.

#include <stdint.h>

#define HIDDEN __attribute__((visibility("hidden")))

// glibc 2.35 has new versions that do not set errno. The first versions are in every glibc.
#if defined(__x86_64__)
#define FIRST "GLIBC_2.2.5"
#else
#define FIRST "GLIBC_2.17"
#endif
double first_hypot(double x, double y);
float first_hypotf(float x, float y);
__asm__(".symver first_hypot, hypot@" FIRST);
__asm__(".symver first_hypotf, hypotf@" FIRST);
HIDDEN double hypot(double x, double y) { return first_hypot(x, y); }
HIDDEN float hypotf(float x, float y) { return first_hypotf(x, y); }

// libgcc's unwinder looks up the unwinding data of an address. The programs contain none (Packaging/layout.ld): each lookup
// fails, as it does with glibc's function.
HIDDEN int _dl_find_object(void *address, void *result) {
    (void)address;
    (void)result;
    return -1;
}

// The linker calls this function instead of the runtime's (--wrap), so that the tables with the names of all Unicode characters
// are not linked. `Unicode.Scalar.Properties.name` is nil.
HIDDEN intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity) {
    (void)scalar;
    (void)buffer;
    (void)capacity;
    return 0;
}
