/* SPDX-License-Identifier: MIT */
/* Sums in an order that is written down, so that they vectorise and still have the same bits everywhere. */
#include "trace.h"

#include <string.h>

enum { LANES = 8 };

float vg_dot(const float *a, const float *b, size_t n)
{
    float lane[LANES] = {0}, sum;
    size_t i = 0;

    for (; i + LANES <= n; i += LANES) {
        for (size_t k = 0; k < LANES; k++)
            lane[k] += a[i + k] * b[i + k];
    }
    sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

enum { PIECE = 1 << 14 }; /* whose halves of products fit into 32 bits when added up */
#define BIAS UINT32_C(0x80000000)

/* The halves of every product are added up apart, in 32 bits as compilers vectorise them. */
int64_t vg_product_sum(const int16_t *a, const int16_t *b, size_t n)
{
    int64_t sum = 0;

    for (size_t from = 0, to; from < n; from = to) {
        uint32_t high = 0, low = 0;

        to = n - from < PIECE ? n : from + PIECE;
        for (size_t i = from; i < to; i++) {
            uint32_t product = (uint32_t)((int32_t)a[i] * b[i]) + BIAS; /* never negative */

            high += product >> 16;
            low += product & 0xffff;
        }
        sum += ((int64_t)high << 16) + low - (int64_t)(to - from) * BIAS;
    }
    return sum;
}

/* log2 of the mantissa over sqrt(1/2)..sqrt(2): atanh series in z = (m - 1) / (m + 1), error below 2e-6. */
void vg_log2_rough(const float *in, float *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        int32_t exponent;
        float m, z, zz;

        memcpy(&bits, &in[i], sizeof bits);
        exponent = (int32_t)((bits - UINT32_C(0x3f3504f3)) >> 23) - (bits < UINT32_C(0x3f3504f3) ? 512 : 0);
        bits -= (uint32_t)exponent << 23;
        memcpy(&m, &bits, sizeof m);
        z = (m - 1) / (m + 1);
        zz = z * z;
        out[i] = (float)exponent +
                 z * (2.88539008f + zz * (0.961796694f + zz * (0.577078016f + zz * 0.412198583f)));
    }
}
