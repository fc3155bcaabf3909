#include "CCrypto.h"

#include <dlfcn.h>
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

#define LOOK_UP(name)                                        \
  *(void **)&api.name = dlsym(library, #name);               \
  if (!api.name) {                                           \
    problem = "libcrypto is too old: it has no " #name; \
    return;                                                  \
  }

static void load(void) {
  void *library = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++) {
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  }
  if (!library) {
    problem = "libcrypto (OpenSSL) was not found";
    return;
  }
  LOOK_UP(BIO_new_mem_buf)
  LOOK_UP(BIO_free)
  LOOK_UP(PEM_read_bio_PrivateKey)
  LOOK_UP(EVP_PKEY_free)
  LOOK_UP(EVP_sha256)
  LOOK_UP(EVP_MD_CTX_new)
  LOOK_UP(EVP_MD_CTX_free)
  LOOK_UP(EVP_DigestSignInit)
  LOOK_UP(EVP_DigestSign)
  LOOK_UP(ERR_clear_error)
  // Its name before version 3.
  *(void **)&api.EVP_PKEY_get_base_id = dlsym(library, "EVP_PKEY_get_base_id");
  if (!api.EVP_PKEY_get_base_id) *(void **)&api.EVP_PKEY_get_base_id = dlsym(library, "EVP_PKEY_base_id");
  if (!api.EVP_PKEY_get_base_id) problem = "libcrypto is too old: it has no EVP_PKEY_base_id";
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
