#ifndef AUTHCTL_CCURL_SHIM_H
#define AUTHCTL_CCURL_SHIM_H

// libcurl brings 36 more libraries, six milliseconds of loading, into a process that mostly hands out a stored
// token. So it is not linked: these functions load it at the first request. The header's own declarations give the
// types, so a wrong signature is still a compile error.

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <stddef.h>

#define CCURL_FUNCTIONS(X)                                                                                         \
    X(curl_global_init) X(curl_easy_init) X(curl_easy_cleanup) X(curl_easy_reset) X(curl_easy_setopt)             \
    X(curl_easy_getinfo) X(curl_easy_strerror) X(curl_slist_append) X(curl_slist_free_all) X(curl_multi_init)     \
    X(curl_multi_cleanup) X(curl_multi_add_handle) X(curl_multi_remove_handle) X(curl_multi_perform)              \
    X(curl_multi_poll) X(curl_multi_wakeup) X(curl_multi_info_read)

struct ccurl {
#define CCURL_MEMBER(name) __typeof__(&name) name;
    CCURL_FUNCTIONS(CCURL_MEMBER)
#undef CCURL_MEMBER
};

// Fills `table`; returns 0, or -1 when the library or one of its functions is not there.
static inline int ccurl_load(struct ccurl *table) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return -1;
#define CCURL_SYMBOL(name)                                                                                         \
    *(void **)&table->name = dlsym(library, #name);                                                                \
    if (table->name == NULL) return -1;
    CCURL_FUNCTIONS(CCURL_SYMBOL)
#undef CCURL_SYMBOL
    return table->curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? 0 : -1;
}

// Swift cannot call variadic functions: one wrapper for each type of argument.
static inline CURLcode ccurl_set_long(const struct ccurl *c, CURL *h, CURLoption o, long v) {
    return c->curl_easy_setopt(h, o, v);
}
static inline CURLcode ccurl_set_string(const struct ccurl *c, CURL *h, CURLoption o, const char *v) {
    return c->curl_easy_setopt(h, o, v);
}
static inline CURLcode ccurl_set_pointer(const struct ccurl *c, CURL *h, CURLoption o, void *v) {
    return c->curl_easy_setopt(h, o, v);
}
typedef size_t (*ccurl_data_function)(char *, size_t, size_t, void *);
static inline CURLcode ccurl_set_data_function(const struct ccurl *c, CURL *h, CURLoption o, ccurl_data_function f) {
    return c->curl_easy_setopt(h, o, f);
}
typedef curl_socket_t (*ccurl_socket_function)(void *, curlsocktype, struct curl_sockaddr *);
static inline CURLcode ccurl_set_socket_function(const struct ccurl *c, CURL *h, ccurl_socket_function f) {
    return c->curl_easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, f);
}
static inline CURLcode ccurl_get_long(const struct ccurl *c, CURL *h, CURLINFO i, long *v) {
    return c->curl_easy_getinfo(h, i, v);
}
static inline CURLcode ccurl_get_string(const struct ccurl *c, CURL *h, CURLINFO i, char **v) {
    return c->curl_easy_getinfo(h, i, v);
}

// The result of the next finished transfer, or -1 when there is none: CURLMsg holds a union.
static inline int ccurl_finished(const struct ccurl *c, CURLM *m, CURL **handle) {
    int left = 0;
    CURLMsg *message;
    while ((message = c->curl_multi_info_read(m, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *handle = message->easy_handle;
            return (int)message->data.result;
        }
    }
    return -1;
}

#endif
