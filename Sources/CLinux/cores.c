#define _GNU_SOURCE
#include "shim.h"

#include <sched.h>

int clinux_available_cores(void) {
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) return CPU_COUNT(&cores);
    // A machine with more than 1024 of them.
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}
