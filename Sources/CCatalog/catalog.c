#include "CCatalog.h"

// C23; clang and gcc have it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char text[] = {
#embed "services.yaml" suffix(, 0)
};

const char *ccatalog_text(void) { return text; }
