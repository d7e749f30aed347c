#include "CBuild.h"

#include <stddef.h>

const char *cbuild_commit(void) {
#ifdef AUTHCTL_COMMIT
    return AUTHCTL_COMMIT;
#else
    return NULL;
#endif
}
