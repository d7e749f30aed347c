// Functions that the static runtimes of the release name with the version of glibc 2.35. With these, the programs start with
// glibc 2.34 (docs/decisions/044-linking-for-size.md). Only `make release` links this file.

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
