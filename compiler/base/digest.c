/* SPDX-License-Identifier: MIT */
/* XXH3-128 through xxHash, SHA-256 and MD5 through OpenSSL's libcrypto. */
#include "base.h"

#include <errno.h>
#include <openssl/evp.h>
#include <string.h>
#include <xxhash.h>

enum { DIGEST_STATE_BYTES = 512 }; /* about what a library takes, for the message */

static void hex_of(const unsigned char *bytes, size_t count, char *hex)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < count; i++) {
        hex[2 * i] = digits[bytes[i] >> 4];
        hex[2 * i + 1] = digits[bytes[i] & 15];
    }
    hex[2 * count] = '\0';
}

void vg_digest_init(struct vg_digest *digest, enum vg_digest_kind kind)
{
    digest->kind = kind;
    if (kind == VG_XXH128) {
        digest->state = XXH3_createState();
        if (digest->state == NULL)
            vg_memory_exhausted(DIGEST_STATE_BYTES);
        XXH3_128bits_reset(digest->state);
    } else {
        digest->state = EVP_MD_CTX_new();
        /* Both algorithms are always there: what can fail is memory. */
        if (digest->state == NULL ||
            EVP_DigestInit_ex(digest->state, kind == VG_SHA256 ? EVP_sha256() : EVP_md5(), NULL) != 1)
            vg_memory_exhausted(DIGEST_STATE_BYTES);
    }
}

void vg_digest_add(struct vg_digest *digest, const void *bytes, size_t count)
{
    if (count == 0)
        return;
    if (digest->kind == VG_XXH128)
        vg_check(XXH3_128bits_update(digest->state, bytes, count) == XXH_OK);
    else
        vg_check(EVP_DigestUpdate(digest->state, bytes, count) == 1);
}

void vg_digest_finish(struct vg_digest *digest, char hex[VG_DIGEST_HEX])
{
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned length = sizeof(XXH128_canonical_t);

    if (digest->kind == VG_XXH128) {
        XXH128_canonical_t canonical;

        XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(digest->state));
        memcpy(bytes, canonical.digest, length);
        XXH3_freeState(digest->state);
    } else {
        vg_check(EVP_DigestFinal_ex(digest->state, bytes, &length) == 1);
        EVP_MD_CTX_free(digest->state);
    }
    digest->state = NULL;
    hex_of(bytes, length, hex);
}

void vg_digest_of(enum vg_digest_kind kind, const void *bytes, size_t count, char hex[VG_DIGEST_HEX])
{
    struct vg_digest digest;

    vg_digest_init(&digest, kind);
    vg_digest_add(&digest, bytes, count);
    vg_digest_finish(&digest, hex);
}

void vg_digest_of_samples(enum vg_digest_kind kind, const int16_t *samples, size_t count,
                          char hex[VG_DIGEST_HEX])
{
    enum { PIECE = 4096 };
    unsigned char words[2 * PIECE];
    struct vg_digest digest;

    vg_digest_init(&digest, kind);
    while (count > 0) {
        size_t n = count < PIECE ? count : PIECE;

        for (size_t i = 0; i < n; i++) {
            unsigned word = (uint16_t)samples[i];

            words[2 * i] = (unsigned char)(word & 255);
            words[2 * i + 1] = (unsigned char)(word >> 8);
        }
        vg_digest_add(&digest, words, 2 * n);
        samples += n;
        count -= n;
    }
    vg_digest_finish(&digest, hex);
}

int vg_digest_of_file(enum vg_digest_kind kind, const char *path, char hex[VG_DIGEST_HEX], uint64_t *bytes,
                      struct vg_error *err)
{
    unsigned char piece[65536];
    struct vg_digest digest;
    FILE *stream = vg_file_open(path);
    uint64_t total = 0;
    size_t n;
    int rc = VG_OK;

    if (stream == NULL)
        return vg_fail_errno(err, VG_IO, path, "cannot open");
    vg_digest_init(&digest, kind);
    while ((n = fread(piece, 1, sizeof piece, stream)) > 0) {
        vg_digest_add(&digest, piece, n);
        total += n;
    }
    if (ferror(stream))
        rc = vg_fail_errno(err, VG_IO, path, "cannot read");
    fclose(stream);
    vg_digest_finish(&digest, hex);
    if (bytes != NULL)
        *bytes = total;
    return rc;
}
