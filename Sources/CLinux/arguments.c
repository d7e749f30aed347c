#include "shim.h"

#include <stddef.h>

static int count = 0;
static char **arguments = NULL;

// glibc passes the arguments of `main` to the functions of .init_array. This does not require /proc or `environ`, which
// a preloaded library may have moved.
__attribute__((constructor)) static void remember(int given_count, char **given_arguments) {
    count = given_count;
    arguments = given_arguments;
}

int clinux_argument_count(void) { return count; }

const char *clinux_argument(int index) { return index >= 0 && index < count ? arguments[index] : NULL; }
