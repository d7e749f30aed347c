#ifndef AUTHCTL_CBUILD_H
#define AUTHCTL_CBUILD_H

// What this program was built from: the commit, or null where the build did not say (`make release` does).
const char *cbuild_commit(void);

#endif
