#ifndef AUTHCTL_CCURL_SHIM_H
#define AUTHCTL_CCURL_SHIM_H

// libcurl loads 36 more libraries, which takes six milliseconds, but most processes only print a stored token. So it is
// not linked: these functions load it at the first request. The types come from its header, so a wrong signature is
// still a compile error.

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define CCURL_FUNCTIONS(X)                                                                                         \
    X(curl_global_init) X(curl_easy_init) X(curl_easy_cleanup) X(curl_easy_reset) X(curl_easy_setopt)             \
    X(curl_easy_perform) X(curl_easy_getinfo) X(curl_version) X(curl_version_info) X(curl_easy_strerror) X(curl_slist_append) X(curl_slist_free_all) X(curl_multi_init)     \
    X(curl_multi_cleanup) X(curl_multi_add_handle) X(curl_multi_remove_handle) X(curl_multi_perform)              \
    X(curl_multi_poll) X(curl_multi_wakeup) X(curl_multi_info_read)

// A CA certificate in DER: where it and its subject are in the bytes that contain it.
struct ccurl_authority {
    size_t begin, end, subject, subject_end;
};
// The subject of a CA certificate: `ccurl_name_key` of it, and OpenSSL's object once it was decoded.
struct ccurl_subject {
    unsigned key;
    void *name;
};

// Functions of the OpenSSL that libcurl has loaded. They are looked up through libcurl's handle, so that no object of
// one OpenSSL is passed to a function of another. The types are repeated here, because OpenSSL's headers would be
// exported to every importer of this module.
#define CCURL_TLS_FUNCTIONS(X)                                                                                      \
    X(void, SSL_CTX_set_cert_verify_callback, (void *, int (*)(void *, void *), void *))                            \
    X(int, X509_verify_cert, (void *)) X(void *, X509_STORE_CTX_get0_cert, (const void *))                          \
    X(void *, X509_STORE_CTX_get0_untrusted, (const void *)) X(void *, X509_STORE_CTX_get0_store, (const void *))   \
    X(void, X509_STORE_CTX_set_error, (void *, int)) X(int, X509_STORE_add_cert, (void *, void *))                  \
    X(void *, d2i_X509_AUX, (void **, const unsigned char **, long)) X(void, X509_free, (void *))                   \
    X(void *, X509_get_subject_name, (const void *)) X(void *, X509_get_issuer_name, (const void *))                \
    X(void *, d2i_X509_NAME, (void **, const unsigned char **, long)) X(void, X509_NAME_free, (void *))             \
    X(int, X509_NAME_cmp, (const void *, const void *)) X(int, i2d_X509_NAME, (const void *, unsigned char **))     \
    X(void *, X509_get_ext_d2i, (const void *, int, int *, int *)) \
    X(int, OPENSSL_sk_num, (const void *)) X(void *, OPENSSL_sk_value, (const void *, int))                         \
    X(void, GENERAL_NAMES_free, (void *)) X(void, CRYPTO_free, (void *, const char *, int))

struct ccurl_tls {
#define CCURL_TLS_MEMBER(type, name, parameters) type(*name) parameters;
    CCURL_TLS_FUNCTIONS(CCURL_TLS_MEMBER)
#undef CCURL_TLS_MEMBER
    // The CA certificates, and their subjects.
    unsigned char *der;
    struct ccurl_authority *authorities;
    struct ccurl_subject *subjects;
    size_t count, of_proxies; // the first of them count for proxies too
    __typeof__(&curl_easy_getinfo) getinfo;
};

struct ccurl {
#define CCURL_MEMBER(name) __typeof__(&name) name;
    CCURL_FUNCTIONS(CCURL_MEMBER)
#undef CCURL_MEMBER
    struct ccurl_tls *tls; // null where libcurl uses another TLS library
    long mark;             // identifies the CA certificates that were taken; 0 if none were
};

static inline struct ccurl_tls *ccurl_load_tls(void *library) {
    struct ccurl_tls *tls = (struct ccurl_tls *)calloc(1, sizeof *tls);
    if (tls == NULL) return NULL;
#define CCURL_TLS_SYMBOL(type, name, parameters)                                                                   \
    if ((*(void **)&tls->name = dlsym(library, #name)) == NULL) {                                                  \
        free(tls);                                                                                                 \
        return NULL;                                                                                               \
    }
    CCURL_TLS_FUNCTIONS(CCURL_TLS_SYMBOL)
#undef CCURL_TLS_SYMBOL
    return tls;
}

// Fills `table`. Returns 0, or -1 if the library or one of its functions is missing. `ccurl_unload` frees it. See
// docs/decisions/040.
static inline int ccurl_load(struct ccurl *table) {
    void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) return -1;
#define CCURL_SYMBOL(name)                                                                                         \
    *(void **)&table->name = dlsym(library, #name);                                                                \
    if (table->name == NULL) return -1;
    CCURL_FUNCTIONS(CCURL_SYMBOL)
#undef CCURL_SYMBOL
    if (table->curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return -1;
    table->tls = ccurl_load_tls(library);
    if (table->tls != NULL) table->tls->getinfo = table->curl_easy_getinfo;
    return 0;
}

static inline void ccurl_drop_authorities(struct ccurl_tls *tls) {
    for (size_t i = 0; i < tls->count; i++)
        if (tls->subjects[i].name != NULL) tls->X509_NAME_free(tls->subjects[i].name);
    free(tls->subjects);
    free(tls->authorities);
    free(tls->der);
    tls->subjects = NULL;
    tls->authorities = NULL;
    tls->der = NULL;
    tls->count = tls->of_proxies = 0;
}

// A number of a name in DER that is the same for names which OpenSSL regards as equal (RFC 5280 section 7.1): it is the sum
// of the texts without case, spaces and type, in any order. 0 if only OpenSSL can compare the name. To decode the names of
// all CAs takes a millisecond.
static inline unsigned ccurl_name_key(const unsigned char *at, const unsigned char *end) {
    unsigned sum = 1;
    while (end - at >= 2) {
        unsigned tag = at[0];
        size_t length = at[1], more = length > 0x80 ? length - 0x80 : 0;
        at += 2;
        if (more > 0) length = 0;
        if (more > 2 || more > (size_t)(end - at)) return 0;
        for (; more > 0; more--) length = length << 8 | *at++;
        if (tag == 0x30 || tag == 0x31) continue; // The values in a SEQUENCE or a SET follow.
        if (length > (size_t)(end - at)) return 0;
        if (tag != 0x06 && tag != 0x0C && tag != 0x13 && tag != 0x16) return 0; // OID, UTF-8, PrintableString, IA5String
        unsigned key = 0;
        for (const unsigned char *last = at + length; tag != 0x06 && at < last; at++) {
            if (*at >= 0x80) return 0;
            if (*at > ' ') key = key * 31 + (*at >= 'A' && *at <= 'Z' ? *at + 32 : *at);
        }
        if (tag == 0x06) at += length;
        sum += key;
    }
    return sum == 0 ? 1 : sum;
}

// Copies the CA certificates. The first `of_proxies` of them count for proxies too.
static inline int ccurl_take_authorities(
    struct ccurl *c, long mark, const void *der, size_t length, const struct ccurl_authority *list, size_t count,
    size_t of_proxies) {
    struct ccurl_tls *tls = c->tls;
    if (tls == NULL) return -1;
    ccurl_drop_authorities(tls);
    c->mark = mark;
    if (count == 0) return 0;
    tls->der = (unsigned char *)malloc(length);
    tls->authorities = (struct ccurl_authority *)calloc(count, sizeof *list);
    tls->subjects = (struct ccurl_subject *)calloc(count, sizeof *tls->subjects);
    if (tls->der == NULL || tls->authorities == NULL || tls->subjects == NULL) {
        ccurl_drop_authorities(tls);
        return -1;
    }
    memcpy(tls->der, der, length);
    memcpy(tls->authorities, list, count * sizeof *list);
    for (size_t i = 0; i < count; i++)
        tls->subjects[i].key = ccurl_name_key(tls->der + list[i].subject, tls->der + list[i].subject_end);
    tls->count = count;
    tls->of_proxies = of_proxies;
    return 0;
}

// Call this when no connection is left.
static inline void ccurl_unload(struct ccurl *table) {
    if (table->tls != NULL) ccurl_drop_authorities(table->tls);
    free(table->tls);
    table->tls = NULL;
}

// Adds the CA certificates with this subject to the store, of the first `count`, and their issuers. `added` has a byte for
// each certificate.
static inline void ccurl_add(
    struct ccurl_tls *tls, size_t count, void *store, const void *subject, unsigned char *added) {
    unsigned char *encoded = NULL;
    int length = tls->i2d_X509_NAME(subject, &encoded);
    unsigned key = length > 0 ? ccurl_name_key(encoded, encoded + length) : 0;
    tls->CRYPTO_free(encoded, __FILE__, __LINE__);
    for (size_t i = 0; i < count; i++) {
        const struct ccurl_authority *found = &tls->authorities[i];
        struct ccurl_subject *own = &tls->subjects[i];
        const unsigned char *name = tls->der + found->subject, *der = tls->der + found->begin;
        if (key != 0 && own->key != 0 && own->key != key) continue;
        if (own->name == NULL)
            own->name = tls->d2i_X509_NAME(NULL, &name, (long)(found->subject_end - found->subject));
        if (added[i] || own->name == NULL || tls->X509_NAME_cmp(own->name, subject) != 0) continue;
        added[i] = 1;
        void *certificate = tls->d2i_X509_AUX(NULL, &der, (long)(found->end - found->begin));
        if (certificate == NULL) continue;
        if (tls->X509_STORE_add_cert(store, certificate) == 1)
            ccurl_add(tls, count, store, tls->X509_get_issuer_name(certificate), added);
        tls->X509_free(certificate);
    }
}

// Adds the CA certificates that can be in the chain: OpenSSL looks for them by the names in the server's certificates.
static inline int ccurl_add_issuers(struct ccurl_tls *tls, size_t count, void *context) {
    unsigned char *added = (unsigned char *)calloc(tls->count + 1, 1);
    if (added == NULL) return 0;
    void *sent = tls->X509_STORE_CTX_get0_untrusted(context), *store = tls->X509_STORE_CTX_get0_store(context);
    for (int i = -1; i < (sent == NULL ? 0 : tls->OPENSSL_sk_num(sent)); i++) {
        const void *certificate =
            i < 0 ? tls->X509_STORE_CTX_get0_cert(context) : tls->OPENSSL_sk_value(sent, i);
        if (certificate == NULL) continue;
        ccurl_add(tls, count, store, tls->X509_get_subject_name(certificate), added);
        ccurl_add(tls, count, store, tls->X509_get_issuer_name(certificate), added);
    }
    free(added);
    return 1;
}

// Without a host or an address in subjectAltName, libcurl compares the host with the certificate's common name. So such
// a certificate is rejected (RFC 9525 section 6.3). libcurl itself compares the names in subjectAltName.
#define CCURL_NAMELESS_CERTIFICATE 50 // X509_V_ERR_APPLICATION_VERIFICATION
static inline int ccurl_verify_by(struct ccurl_tls *tls, size_t count, void *context) {
    if (!ccurl_add_issuers(tls, count, context) || tls->X509_verify_cert(context) != 1) return 0;
    void *certificate = tls->X509_STORE_CTX_get0_cert(context);
    void *names = certificate == NULL ? NULL : tls->X509_get_ext_d2i(certificate, 85, NULL, NULL); // subjectAltName
    int is_named = 0;
    for (int i = 0; names != NULL && i < tls->OPENSSL_sk_num(names); i++) {
        const int *type = (const int *)tls->OPENSSL_sk_value(names, i); // GENERAL_NAME begins with its type
        is_named = is_named || *type == 2 || *type == 7;                // GEN_DNS, GEN_IPADD
    }
    if (names != NULL) tls->GENERAL_NAMES_free(names);
    if (!is_named) tls->X509_STORE_CTX_set_error(context, CCURL_NAMELESS_CERTIFICATE);
    return is_named;
}
static inline int ccurl_verify(void *context, void *data) {
    struct ccurl_tls *tls = (struct ccurl_tls *)data;
    return ccurl_verify_by(tls, tls->count, context);
}
static inline int ccurl_verify_proxy(void *context, void *data) {
    struct ccurl_tls *tls = (struct ccurl_tls *)data;
    return ccurl_verify_by(tls, tls->of_proxies, context);
}
static inline CURLcode ccurl_prepare_tls(CURL *handle, void *context, void *tls) {
    (void)handle;
    ((const struct ccurl_tls *)tls)->SSL_CTX_set_cert_verify_callback(context, ccurl_verify, tls);
    return CURLE_OK;
}
// The same for a request through a proxy. The server's handshake follows the proxy's response to CONNECT, and that of an
// https proxy precedes it.
static inline CURLcode ccurl_prepare_proxied_tls(CURL *handle, void *context, void *data) {
    struct ccurl_tls *tls = (struct ccurl_tls *)data;
    long status = 0;
    CURLcode code = tls->getinfo(handle, CURLINFO_HTTP_CONNECTCODE, &status);
    if (code != CURLE_OK) return code;
    tls->SSL_CTX_set_cert_verify_callback(context, status / 100 == 2 ? ccurl_verify : ccurl_verify_proxy, tls);
    return CURLE_OK;
}
static inline CURLcode ccurl_demand_names(const struct ccurl *c, CURL *h, int is_proxied) {
    if (c->tls == NULL) return CURLE_NOT_BUILT_IN;
    CURLcode code = c->curl_easy_setopt(h, CURLOPT_SSL_CTX_DATA, c->tls);
    if (code != CURLE_OK) return code;
    return c->curl_easy_setopt(
        h, CURLOPT_SSL_CTX_FUNCTION, is_proxied ? ccurl_prepare_proxied_tls : ccurl_prepare_tls);
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
// The file of CAs that libcurl was built with; null if it has none.
static inline const char *ccurl_bundle(const struct ccurl *c) {
    const curl_version_info_data *built = c->curl_version_info(CURLVERSION_NOW);
    return built->age >= CURLVERSION_SEVENTH ? built->cainfo : NULL;
}
// Makes `ccurl_verify` look for CAs in those that were taken, and not libcurl in its file, nor in its directory if they
// are the only ones.
static inline CURLcode ccurl_use_authorities(const struct ccurl *c, CURL *h, int is_only) {
    CURLcode code = c->curl_easy_setopt(h, CURLOPT_CAINFO, NULL);
    if (code == CURLE_OK) code = c->curl_easy_setopt(h, CURLOPT_PROXY_CAINFO, NULL);
    if (code != CURLE_OK || !is_only) return code;
    code = c->curl_easy_setopt(h, CURLOPT_CAPATH, NULL);
    return code != CURLE_OK ? code : c->curl_easy_setopt(h, CURLOPT_PROXY_CAPATH, NULL);
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
