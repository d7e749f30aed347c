#ifndef AUTHCTL_CCURL_SHIM_H
#define AUTHCTL_CCURL_SHIM_H

// libcurl loads 36 more libraries, which takes six milliseconds, but most processes only print a stored token. So it is
// not linked: these functions load it at the first request. The types come from its header, so a wrong signature is
// still a compile error.

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CCURL_FUNCTIONS(X)                                                                                         \
    X(curl_global_init) X(curl_easy_init) X(curl_easy_cleanup) X(curl_easy_reset) X(curl_easy_setopt)             \
    X(curl_easy_perform) X(curl_easy_getinfo) X(curl_version) X(curl_easy_strerror) X(curl_slist_append) X(curl_slist_free_all) X(curl_multi_init)     \
    X(curl_multi_cleanup) X(curl_multi_add_handle) X(curl_multi_remove_handle) X(curl_multi_perform)              \
    X(curl_multi_poll) X(curl_multi_wakeup) X(curl_multi_info_read)

// Functions of the OpenSSL that libcurl has loaded. They are looked up through libcurl's handle, so that no object of
// one OpenSSL is passed to a function of another. The types are repeated here, because OpenSSL's headers would be
// exported to every importer of this module.
struct ccurl_tls {
    void (*SSL_CTX_set_cert_verify_callback)(void *context, int (*verify)(void *store, void *data), void *data);
    int (*X509_verify_cert)(void *store);
    void *(*X509_STORE_CTX_get0_cert)(const void *store);
    void (*X509_STORE_CTX_set_error)(void *store, int error);
    void *(*X509_get_ext_d2i)(const void *certificate, int identifier, int *critical, int *index);
    int (*OPENSSL_sk_num)(const void *stack);
    void *(*OPENSSL_sk_value)(const void *stack, int index);
    void (*GENERAL_NAMES_free)(void *names);
};

struct ccurl {
#define CCURL_MEMBER(name) __typeof__(&name) name;
    CCURL_FUNCTIONS(CCURL_MEMBER)
#undef CCURL_MEMBER
    struct ccurl_tls *tls; // null where libcurl uses another TLS library
    int authorities;       // a file with the CAs, for libcurl before 7.77; 0 if there is none
};

static inline struct ccurl_tls *ccurl_load_tls(void *library) {
    struct ccurl_tls *tls = (struct ccurl_tls *)calloc(1, sizeof *tls);
    if (tls == NULL) return NULL;
#define CCURL_TLS_SYMBOL(name)                                                                                     \
    if ((*(void **)&tls->name = dlsym(library, #name)) == NULL) {                                                  \
        free(tls);                                                                                                 \
        return NULL;                                                                                               \
    }
    CCURL_TLS_SYMBOL(SSL_CTX_set_cert_verify_callback)
    CCURL_TLS_SYMBOL(X509_verify_cert)
    CCURL_TLS_SYMBOL(X509_STORE_CTX_get0_cert)
    CCURL_TLS_SYMBOL(X509_STORE_CTX_set_error)
    CCURL_TLS_SYMBOL(X509_get_ext_d2i)
    CCURL_TLS_SYMBOL(OPENSSL_sk_num)
    CCURL_TLS_SYMBOL(OPENSSL_sk_value)
    CCURL_TLS_SYMBOL(GENERAL_NAMES_free)
#undef CCURL_TLS_SYMBOL
    return tls;
}

// Fills `table`. Returns 0, or -1 if the library or one of its functions is missing. `ccurl_unload` frees it. See
// docs/decisions/040.
static inline int ccurl_load(struct ccurl *table) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return -1;
#define CCURL_SYMBOL(name)                                                                                         \
    *(void **)&table->name = dlsym(library, #name);                                                                \
    if (table->name == NULL) return -1;
    CCURL_FUNCTIONS(CCURL_SYMBOL)
#undef CCURL_SYMBOL
    if (table->curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return -1;
    table->tls = ccurl_load_tls(library);
    return 0;
}

// Call this when no connection is left.
static inline void ccurl_unload(struct ccurl *table) {
    free(table->tls);
    table->tls = NULL;
    if (table->authorities > 0) close(table->authorities);
    table->authorities = 0;
}

// Without a host or an address in subjectAltName, libcurl compares the host with the certificate's common name. So such
// a certificate is rejected (RFC 9525 section 6.3). libcurl itself compares the names in subjectAltName.
#define CCURL_NAMELESS_CERTIFICATE 50 // X509_V_ERR_APPLICATION_VERIFICATION
static inline int ccurl_verify(void *store, void *data) {
    const struct ccurl_tls *tls = (const struct ccurl_tls *)data;
    if (tls->X509_verify_cert(store) != 1) return 0;
    void *certificate = tls->X509_STORE_CTX_get0_cert(store);
    void *names = certificate == NULL ? NULL : tls->X509_get_ext_d2i(certificate, 85, NULL, NULL); // subjectAltName
    int is_named = 0;
    for (int i = 0; names != NULL && i < tls->OPENSSL_sk_num(names); i++) {
        const int *type = (const int *)tls->OPENSSL_sk_value(names, i); // GENERAL_NAME begins with its type
        is_named = is_named || *type == 2 || *type == 7;                // GEN_DNS, GEN_IPADD
    }
    if (names != NULL) tls->GENERAL_NAMES_free(names);
    if (!is_named) tls->X509_STORE_CTX_set_error(store, CCURL_NAMELESS_CERTIFICATE);
    return is_named;
}
static inline CURLcode ccurl_prepare_tls(CURL *handle, void *context, void *tls) {
    (void)handle;
    ((const struct ccurl_tls *)tls)->SSL_CTX_set_cert_verify_callback(context, ccurl_verify, tls);
    return CURLE_OK;
}
static inline CURLcode ccurl_demand_names(const struct ccurl *c, CURL *h) {
    if (c->tls == NULL) return CURLE_NOT_BUILT_IN;
    CURLcode code = c->curl_easy_setopt(h, CURLOPT_SSL_CTX_DATA, c->tls);
    return code != CURLE_OK ? code : c->curl_easy_setopt(h, CURLOPT_SSL_CTX_FUNCTION, ccurl_prepare_tls);
}

// Swift cannot call variadic functions: one wrapper for each type of argument.
static inline CURLcode ccurl_set_long(const struct ccurl *c, CURL *h, CURLoption o, long v) {
    return c->curl_easy_setopt(h, o, v);
}
// The options whose text libcurl copies, according to its manual pages. Options that keep the pointer, for example
// CURLOPT_POSTFIELDS, are not listed: Swift frees a text after the call.
typedef enum {
    CCURL_URL = CURLOPT_URL,
    CCURL_PROXY = CURLOPT_PROXY,
    CCURL_NOPROXY = CURLOPT_NOPROXY,
    CCURL_ACCEPT_ENCODING = CURLOPT_ACCEPT_ENCODING,
    CCURL_USERAGENT = CURLOPT_USERAGENT,
    CCURL_CUSTOMREQUEST = CURLOPT_CUSTOMREQUEST,
} ccurl_text;
static inline CURLcode ccurl_set_text(const struct ccurl *c, CURL *h, ccurl_text o, const char *v) {
    return c->curl_easy_setopt(h, (CURLoption)o, v);
}
// Sets the only trusted CAs, from a copy of their PEM. libcurl before 7.77 reads a file: it gets one in memory, which no
// other process can change.
static inline CURLcode ccurl_set_authorities(struct ccurl *c, CURL *h, const void *pem, size_t length) {
    CURLcode code = c->curl_easy_setopt(h, CURLOPT_CAPATH, NULL);
    if (code == CURLE_OK) code = c->curl_easy_setopt(h, CURLOPT_PROXY_CAPATH, NULL);
    struct curl_blob blob = {(void *)pem, length, CURL_BLOB_COPY};
    if (code == CURLE_OK) code = c->curl_easy_setopt(h, CURLOPT_CAINFO_BLOB, &blob);
    if (code == CURLE_OK) return c->curl_easy_setopt(h, CURLOPT_PROXY_CAINFO_BLOB, &blob);
    if (code != CURLE_UNKNOWN_OPTION) return code;
    if (c->authorities == 0) {
        int file = (int)syscall(SYS_memfd_create, "authorities", 1 /* MFD_CLOEXEC */);
        if (file < 0 || write(file, pem, length) != (ssize_t)length) {
            if (file >= 0) close(file);
            return CURLE_READ_ERROR;
        }
        c->authorities = file;
    }
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", c->authorities);
    code = c->curl_easy_setopt(h, CURLOPT_CAINFO, path);
    return code != CURLE_OK ? code : c->curl_easy_setopt(h, CURLOPT_PROXY_CAINFO, path);
}
// Sets the only allowed protocol. CURLOPT_PROTOCOLS_STR requires libcurl 7.85; RHEL 9 has 7.76.
static inline CURLcode ccurl_set_protocol(const struct ccurl *c, CURL *h, int is_secure) {
    return c->curl_easy_setopt(h, CURLOPT_PROTOCOLS, is_secure ? CURLPROTO_HTTPS : CURLPROTO_HTTP);
}
// Copies the body.
static inline CURLcode ccurl_set_body(const struct ccurl *c, CURL *h, const void *body, size_t length) {
    CURLcode code = c->curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
    return code != CURLE_OK ? code : c->curl_easy_setopt(h, CURLOPT_COPYPOSTFIELDS, body);
}
// Copies the certificates and the key of the first certificate, both in PEM form.
static inline CURLcode ccurl_set_client_certificate(
    const struct ccurl *c, CURL *h, const void *chain, size_t chain_length, const void *key, size_t key_length) {
    struct curl_blob certificates = {(void *)chain, chain_length, CURL_BLOB_COPY};
    struct curl_blob its_key = {(void *)key, key_length, CURL_BLOB_COPY};
    CURLcode code = c->curl_easy_setopt(h, CURLOPT_SSLCERT_BLOB, &certificates);
    return code != CURLE_OK ? code : c->curl_easy_setopt(h, CURLOPT_SSLKEY_BLOB, &its_key);
}
// Keeps the buffer of CURL_ERROR_SIZE bytes. Free it after the handle.
static inline CURLcode ccurl_set_error_buffer(const struct ccurl *c, CURL *h, char *buffer) {
    return c->curl_easy_setopt(h, CURLOPT_ERRORBUFFER, buffer);
}
// Keeps the list. Free it after the handle.
static inline CURLcode ccurl_set_headers(const struct ccurl *c, CURL *h, struct curl_slist *list) {
    return c->curl_easy_setopt(h, CURLOPT_HTTPHEADER, list);
}
// The functions that libcurl calls, each with `context`, which must remain valid as long as the handle.
typedef size_t (*ccurl_data_function)(char *, size_t, size_t, void *);
typedef curl_socket_t (*ccurl_socket_function)(void *, curlsocktype, struct curl_sockaddr *);
typedef int (*ccurl_request_function)(void *, char *, char *, int, int);
static inline CURLcode ccurl_set_callbacks(
    const struct ccurl *c, CURL *h, void *context, ccurl_data_function body, ccurl_data_function header,
    ccurl_socket_function opening, ccurl_request_function sending) {
    CURLcode code = c->curl_easy_setopt(h, CURLOPT_WRITEDATA, context);
    if (code == CURLE_OK) code = c->curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, body);
    if (code == CURLE_OK) code = c->curl_easy_setopt(h, CURLOPT_HEADERDATA, context);
    if (code == CURLE_OK) code = c->curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, header);
    if (code == CURLE_OK) code = c->curl_easy_setopt(h, CURLOPT_OPENSOCKETDATA, context);
    if (code == CURLE_OK) code = c->curl_easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, opening);
    if (code != CURLE_OK) return code;
    code = c->curl_easy_setopt(h, CURLOPT_PREREQFUNCTION, sending);
    // libcurl before 7.80 does not support a function that is called before a request. There each request opens a
    // connection, so that `opening` is called.
    if (code == CURLE_UNKNOWN_OPTION) return c->curl_easy_setopt(h, CURLOPT_FRESH_CONNECT, 1L);
    return code != CURLE_OK ? code : c->curl_easy_setopt(h, CURLOPT_PREREQDATA, context);
}
// Reads the body from a function. A length of -1 means that the length is unknown.
static inline CURLcode ccurl_set_upload(
    const struct ccurl *c, CURL *h, long long length, void *context, ccurl_data_function reading) {
    CURLcode code = c->curl_easy_setopt(h, CURLOPT_UPLOAD, 1L);
    if (code == CURLE_OK) code = c->curl_easy_setopt(h, CURLOPT_INFILESIZE_LARGE, (curl_off_t)length);
    if (code == CURLE_OK) code = c->curl_easy_setopt(h, CURLOPT_READDATA, context);
    return code != CURLE_OK ? code : c->curl_easy_setopt(h, CURLOPT_READFUNCTION, reading);
}
typedef int (*ccurl_progress_function)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
static inline CURLcode ccurl_set_progress(
    const struct ccurl *c, CURL *h, void *context, ccurl_progress_function progress) {
    CURLcode code = c->curl_easy_setopt(h, CURLOPT_NOPROGRESS, 0L);
    if (code == CURLE_OK) code = c->curl_easy_setopt(h, CURLOPT_XFERINFODATA, context);
    return code != CURLE_OK ? code : c->curl_easy_setopt(h, CURLOPT_XFERINFOFUNCTION, progress);
}
static inline CURLcode ccurl_get_long(const struct ccurl *c, CURL *h, CURLINFO i, long *v) {
    return c->curl_easy_getinfo(h, i, v);
}
static inline CURLcode ccurl_get_string(const struct ccurl *c, CURL *h, CURLINFO i, char **v) {
    return c->curl_easy_getinfo(h, i, v);
}

// The result of the next finished transfer, or -1 if there is none. In C, because CURLMsg contains a union.
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
