#ifndef AUTHCTL_CBUILD_H
#define AUTHCTL_CBUILD_H

// The commit that this program was built from; null if the build did not set it (`make release` does).
const char *cbuild_commit(void);

#endif
