#ifndef AUTHCTL_COPENSSL_SHIM_H
#define AUTHCTL_COPENSSL_SHIM_H

#include <openssl/bn.h>
#include <openssl/conf.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdint.h>
#include <string.h>

// These functions keep a pointer after Swift's array or string is no longer valid, and would read freed memory. So
// Swift cannot call them, and uses the functions below, which keep no pointer.
#define AUTHCTL_KEEPS_POINTER                                                                                      \
    __attribute__((availability(swift, unavailable, message = "it keeps the pointer: use it in COpenSSL/shim.h")))
BIO *BIO_new_mem_buf(const void *, int) AUTHCTL_KEEPS_POINTER;
int OSSL_PARAM_BLD_push_BN(OSSL_PARAM_BLD *, const char *, const BIGNUM *) AUTHCTL_KEEPS_POINTER;
int OSSL_PARAM_BLD_push_utf8_string(OSSL_PARAM_BLD *, const char *, const char *, size_t) AUTHCTL_KEEPS_POINTER;
int OSSL_PARAM_BLD_push_utf8_ptr(OSSL_PARAM_BLD *, const char *, char *, size_t) AUTHCTL_KEEPS_POINTER;
int OSSL_PARAM_BLD_push_octet_string(OSSL_PARAM_BLD *, const char *, const void *, size_t) AUTHCTL_KEEPS_POINTER;
int OSSL_PARAM_BLD_push_octet_ptr(OSSL_PARAM_BLD *, const char *, void *, size_t) AUTHCTL_KEEPS_POINTER;
OSSL_PARAM OSSL_PARAM_construct_BN(const char *, unsigned char *, size_t) AUTHCTL_KEEPS_POINTER;
OSSL_PARAM OSSL_PARAM_construct_utf8_string(const char *, char *, size_t) AUTHCTL_KEEPS_POINTER;
OSSL_PARAM OSSL_PARAM_construct_utf8_ptr(const char *, char **, size_t) AUTHCTL_KEEPS_POINTER;
OSSL_PARAM OSSL_PARAM_construct_octet_string(const char *, void *, size_t) AUTHCTL_KEEPS_POINTER;
OSSL_PARAM OSSL_PARAM_construct_octet_ptr(const char *, void **, size_t) AUTHCTL_KEEPS_POINTER;

// A library context with two algorithms of the default provider. The first fetch of an algorithm makes OpenSSL
// construct all algorithms of that kind, for example about 150 ciphers, which is half of the time of `token`. See
// docs/decisions/047.
struct authctl_small {
    OSSL_ALGORITHM ciphers[2], digests[2];
    OSSL_PROVIDER *whole;
};
static inline struct authctl_small *authctl_small(void) {
    static struct authctl_small small;
    return &small;
}
static inline const OSSL_ALGORITHM *authctl_query(void *context, int operation, int *no_store) {
    (void)context;
    *no_store = 0;
    switch (operation) {
    case OSSL_OP_CIPHER: return authctl_small()->ciphers;
    case OSSL_OP_DIGEST: return authctl_small()->digests;
    default: return NULL;
    }
}
static inline int authctl_start_provider(
    const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out, void **context) {
    static const OSSL_DISPATCH functions[] = {
        {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))authctl_query}, {0, NULL}};
    (void)handle;
    (void)in;
    *out = functions;
    *context = OSSL_PROVIDER_get0_provider_ctx(authctl_small()->whole);
    return 1;
}
static inline int authctl_take(OSSL_ALGORITHM *taken, int operation, const char *name) {
    int no_store = 0;
    size_t length = strlen(name);
    const OSSL_ALGORITHM *offered = OSSL_PROVIDER_query_operation(authctl_small()->whole, operation, &no_store);
    for (; offered != NULL && offered->algorithm_names != NULL; offered++) {
        const char *names = offered->algorithm_names;
        if (strncmp(names, name, length) != 0 || (names[length] != ':' && names[length] != 0)) continue;
        taken[0] = *offered;
        return 1;
    }
    return 0;
}
// Call this once. Returns null if OpenSSL does not have the provider or the algorithms.
static inline OSSL_LIB_CTX *authctl_small_context(void) {
    OSSL_LIB_CTX *all = OSSL_LIB_CTX_new(), *context = OSSL_LIB_CTX_new();
    if (all == NULL || context == NULL) return NULL;
    authctl_small()->whole = OSSL_PROVIDER_load(all, "default");
    if (authctl_small()->whole == NULL) return NULL;
    if (!authctl_take(authctl_small()->ciphers, OSSL_OP_CIPHER, "AES-256-GCM")) return NULL;
    if (!authctl_take(authctl_small()->digests, OSSL_OP_DIGEST, "SHA2-256")) return NULL;
    if (!OSSL_PROVIDER_add_builtin(context, "authctl", authctl_start_provider)) return NULL;
    return OSSL_PROVIDER_load(context, "authctl") == NULL ? NULL : context;
}

struct authctl_passphrase {
    const unsigned char *text;
    size_t length;
    int is_asked_for;
};

static inline int authctl_give_passphrase(char *buffer, int size, int is_writing, void *context) {
    struct authctl_passphrase *passphrase = context;
    (void)is_writing;
    passphrase->is_asked_for = 1;
    if (passphrase->text == NULL || size < 0 || passphrase->length > (size_t)size) return -1;
    memcpy(buffer, passphrase->text, passphrase->length);
    return (int)passphrase->length;
}

// Reads the first private key of a PEM text. Returns null if no key can be read. `is_encrypted` is set if OpenSSL
// requested a passphrase; `passphrase` may be null.
static inline EVP_PKEY *authctl_private_key(
    const unsigned char *pem, int length, const unsigned char *passphrase, size_t passphrase_length,
    int *is_encrypted) {
    struct authctl_passphrase asked = {passphrase, passphrase_length, 0};
    BIO *bio = BIO_new_mem_buf(pem, length);
    EVP_PKEY *key = bio == NULL ? NULL : PEM_read_bio_PrivateKey(bio, NULL, authctl_give_passphrase, &asked);
    BIO_free(bio);
    *is_encrypted = asked.is_asked_for;
    return key;
}

// Reads the certificates of a PEM text, and writes them to `chain` without other text. Returns the first one; null if
// there is none, or one cannot be read.
static inline X509 *authctl_certificates(const unsigned char *pem, int length, BIO *chain) {
    struct authctl_passphrase none = {NULL, 0, 0};
    BIO *bio = BIO_new_mem_buf(pem, length);
    X509 *first = NULL, *next = NULL;
    int is_whole = bio != NULL && chain != NULL;
    while (is_whole && (next = PEM_read_bio_X509(bio, NULL, authctl_give_passphrase, &none)) != NULL) {
        is_whole = PEM_write_bio_X509(chain, next) == 1;
        if (first == NULL) first = next;
        else X509_free(next);
    }
    if (is_whole) is_whole = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    BIO_free(bio);
    if (is_whole) return first;
    X509_free(first);
    return NULL;
}

// Converts to seconds since 1970. Returns 0 if the time is invalid.
static inline int authctl_seconds(const ASN1_TIME *time, int64_t *seconds) {
    int days = 0, rest = 0;
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    int is_time = epoch != NULL && ASN1_TIME_diff(&days, &rest, epoch, time) == 1;
    ASN1_TIME_free(epoch);
    *seconds = (int64_t)days * 86400 + rest;
    return is_time;
}

// The validity period of a certificate, in seconds since 1970.
static inline int authctl_certificate_time(const X509 *certificate, int64_t *begin, int64_t *end) {
    return authctl_seconds(X509_get0_notBefore(certificate), begin)
        && authctl_seconds(X509_get0_notAfter(certificate), end);
}

// Writes a certificate's subject in the form of RFC 4514.
static inline int authctl_write_subject(const X509 *certificate, BIO *bio) {
    return X509_NAME_print_ex(bio, X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253) >= 0;
}

// These keys are constructed in C, because the parameter builder keeps pointers. Each function returns null if OpenSSL
// rejects the numbers.

static inline EVP_PKEY *authctl_key_from(const char *type, OSSL_PARAM_BLD *builder) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (parameters == NULL || context == NULL || EVP_PKEY_fromdata_init(context) != 1
        || EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    return key;
}

static inline EVP_PKEY *authctl_rsa_key(
    const unsigned char *modulus, int modulus_length, const unsigned char *exponent, int exponent_length) {
    EVP_PKEY *key = NULL;
    BIGNUM *n = BN_bin2bn(modulus, modulus_length, NULL);
    BIGNUM *e = BN_bin2bn(exponent, exponent_length, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (n != NULL && e != NULL && builder != NULL && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1)
        key = authctl_key_from("RSA", builder);
    OSSL_PARAM_BLD_free(builder);
    BN_free(n);
    BN_free(e);
    return key;
}

static inline EVP_PKEY *authctl_ec_key(const char *group, const unsigned char *point, size_t point_length) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (builder != NULL && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, group, 0) == 1
        && OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, point_length) == 1)
        key = authctl_key_from("EC", builder);
    OSSL_PARAM_BLD_free(builder);
    return key;
}

#endif
