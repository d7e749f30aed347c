#define _GNU_SOURCE
#include "shim.h"

#include <sched.h>

int clinux_available_cores(void) {
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) return CPU_COUNT(&cores);
    // The machine has more than 1024 processors.
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}
