#include "shim.h"

#include <sys/eventfd.h>

int clinux_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
