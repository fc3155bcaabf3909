#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stddef.h>
#include <stdint.h>

/// Signs a message with RSASSA-PKCS1-v1_5 over SHA-256; the key is a private key in PEM, without passphrase.
///
/// Gives nil and the length of the signature, or what is wrong. Any thread may call it.
const char *ccrypto_sign_rs256(const void *pem, size_t pem_count, const void *message, size_t message_count,
                               uint8_t *signature, size_t capacity, size_t *count);

#endif
