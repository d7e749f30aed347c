#define _GNU_SOURCE
#include "shim.h"

#include <string.h>

long clinux_find(const void *bytes, size_t length, const void *wanted, size_t wanted_length) {
    const char *found = memmem(bytes, length, wanted, wanted_length);
    return found == NULL ? -1 : found - (const char *)bytes;
}
