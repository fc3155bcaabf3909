#include "CCrypto.h"

#include <CLoading.h>
#include <limits.h>
#include <pthread.h>

// The few functions that are looked up; their types are opaque here, so no header of OpenSSL is needed.
static struct {
  void *(*BIO_new_mem_buf)(const void *, int);
  int (*BIO_free)(void *);
  void *(*PEM_read_bio_PrivateKey)(void *, void **, int (*)(char *, int, int, void *), void *);
  void (*EVP_PKEY_free)(void *);
  int (*EVP_PKEY_get_base_id)(const void *);
  const void *(*EVP_sha256)(void);
  void *(*EVP_MD_CTX_new)(void);
  void (*EVP_MD_CTX_free)(void *);
  int (*EVP_DigestSignInit)(void *, void **, const void *, void *, void *);
  int (*EVP_DigestSign)(void *, unsigned char *, size_t *, const unsigned char *, size_t);
  void (*ERR_clear_error)(void);
} api;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *problem;

static const char *const names[] = {
    "libcrypto.so.3",
    "libcrypto.so.1.1",
    "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib",
    "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
    "libcrypto.3.dylib",
};

#define SYMBOL(name) {#name, &api.name}

static void load(void) {
  static const cloading_symbol symbols[] = {
      SYMBOL(BIO_new_mem_buf),
      SYMBOL(BIO_free),
      SYMBOL(PEM_read_bio_PrivateKey),
      SYMBOL(EVP_PKEY_free),
      SYMBOL(EVP_sha256),
      SYMBOL(EVP_MD_CTX_new),
      SYMBOL(EVP_MD_CTX_free),
      SYMBOL(EVP_DigestSignInit),
      SYMBOL(EVP_DigestSign),
      SYMBOL(ERR_clear_error),
  };
  // The second is its name before version 3.
  static const cloading_symbol kinds[] = {
      {"EVP_PKEY_get_base_id", &api.EVP_PKEY_get_base_id},
      {"EVP_PKEY_base_id", &api.EVP_PKEY_get_base_id},
  };
  void *library = cloading_open(names, CLOADING_COUNT(names));
  if (!library) {
    problem = "libcrypto (OpenSSL) was not found";
  } else if (cloading_find(library, symbols, CLOADING_COUNT(symbols)) ||
             (cloading_find(library, &kinds[0], 1) && cloading_find(library, &kinds[1], 1))) {
    problem = "libcrypto (OpenSSL) is too old";
  }
}

// Without this, libcrypto would ask for a passphrase on the terminal.
static int no_passphrase(char *buffer, int size, int writing, void *context) {
  (void)buffer, (void)size, (void)writing, (void)context;
  return -1;
}

enum { kind_rsa = 6 };

const char *ccrypto_sign_rs256(const void *pem, size_t pem_count, const void *message, size_t message_count,
                               uint8_t *signature, size_t capacity, size_t *count) {
  pthread_once(&once, load);
  if (problem) return problem;
  if (pem_count > INT_MAX) return "the key is too long";
  void *input = api.BIO_new_mem_buf(pem, (int)pem_count);
  if (!input) return "out of memory";
  void *key = api.PEM_read_bio_PrivateKey(input, NULL, no_passphrase, NULL);
  api.BIO_free(input);
  const char *failure = NULL;
  if (!key) {
    failure = "the key is not a private key in PEM without a passphrase";
  } else if (api.EVP_PKEY_get_base_id(key) != kind_rsa) {
    failure = "the key is not an RSA key";
  } else {
    void *context = api.EVP_MD_CTX_new();
    *count = capacity;
    if (!context || api.EVP_DigestSignInit(context, NULL, api.EVP_sha256(), NULL, key) != 1 ||
        api.EVP_DigestSign(context, signature, count, message, message_count) != 1) {
      failure = "the key could not sign";
    }
    if (context) api.EVP_MD_CTX_free(context);
  }
  if (key) api.EVP_PKEY_free(key);
  api.ERR_clear_error();
  return failure;
}
