# An older libcurl: RHEL 9 has 7.76. A preloaded library makes this machine's libcurl reject every option that is newer.
cat >old.c <<'C'
#define _GNU_SOURCE
#include <curl/curl.h>
#undef curl_easy_setopt
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CURLcode (*set_option)(CURL *, CURLoption, ...);

static CURLcode set_old_option(CURL *handle, CURLoption option, ...) {
    va_list arguments;
    va_start(arguments, option);
    void *value = va_arg(arguments, void *);
    va_end(arguments);
    // The last option of 7.76 is CURLOPT_DOH_SSL_VERIFYSTATUS, 308; tens of thousands are its type.
    int is_unknown = option % 10000 > 308;
    FILE *log = fopen(getenv("OPTIONS"), "a");
    fprintf(log, "%s %d\n", is_unknown ? "unknown" : "known", option);
    fclose(log);
    return is_unknown ? CURLE_UNKNOWN_OPTION : set_option(handle, option, value);
}

void *dlsym(void *library, const char *name) {
    void *(*find)(void *, const char *) = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    void *found = find(library, name);
    if (found == NULL || strcmp(name, "curl_easy_setopt") != 0) return found;
    set_option = found;
    return set_old_option;
}
C
gcc -shared -fPIC -o old.so old.c

#: Sign-ins and refreshes work with an older libcurl, and no request uses the connection of another one.
emulator --access-ttl 1
export OPTIONS=$PWD/options
old() { LD_PRELOAD=$PWD/old.so authctl "$@"; }
works old providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works old signin --provider oidc.test
next_second
works old token
works old signout --revoke
requests=$(grep -c '^unknown 20312$' options)
[ "$requests" -ge 4 ] || fail "$requests requests with an old libcurl"
# CURLOPT_FRESH_CONNECT. It may be set twice for one request.
[ "$(grep -c '^known 74$' options)" -ge "$requests" ] || fail "a request may use the connection of another one"
[ "$(grep '^unknown' options | sort -u)" = 'unknown 20312' ] || fail "newer options are needed: $(sort -u options)"
