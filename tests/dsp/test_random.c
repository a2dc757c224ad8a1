/* SPDX-License-Identifier: MIT */
/* The generator against numpy's default_rng (numpy 1.24; its stream has been fixed since 1.17). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "dsp.h"

/* After seeding: two raw draws, two random(), two integers(0, 3 << 60); from the start: three normals. */
static void test_numpy_draws_the_same(void **state)
{
    static const struct {
        uint64_t seed, raw[2];
        double uniform[2];
        uint64_t below[2];
        double normal[3];
    } rows[] = {
        {0x0000000000000000u,
         {0xa30febcfd9c2825fu, 0x4510bdf882d9d721u},
         {0x1.4fa7b529d9bd0p-5, 0x1.0ec9ed84d0bc0p-6},
         {2812910243492245307u, 3157006600479966542u},
         {0x1.017ed89db8441p-3, -0x1.0e8cfe9bd45ccp-3, 0x1.47e57a468b06dp-1}},
        {0x0000000000000001u,
         {0x8306bdf37922e4ffu, 0xf35196bbc152a866u},
         {0x1.273d27b04760cp-3, 0x1.e5b5615da558dp-1},
         {1078551560507000191u, 1464186499468006669u},
         {0x1.61e0d28bbb3a1p-2, 0x1.a4ab22204681fp-1, 0x1.525e18ce5fc0ap-2}},
        {0x000000000000002au,
         {0xc621fbcd16d92688u, 0x705a5661a791ffc1u},
         {0x1.b79a2584ddb42p-1, 0x1.650d6c1c2c011p-1},
         {325737268879534172u, 3374447968731357098u},
         {0x1.3807c1104fc6bp-2, -0x1.0a3c65fca9a7ep+0, 0x1.803b239e77350p-1}},
        {0x00000000ffffffffu,
         {0x407f5fa930d8fd9fu, 0x3814b22eb9684802u},
         {0x1.262df73ba3636p-2, 0x1.3ceb1e066d3d0p-1},
         {3233987332502868954u, 1023679049111902017u},
         {-0x1.bed210a08635ep-6, 0x1.b90b7ac677284p-3, -0x1.55773a8d2c747p-1}},
        {0x0000000100000000u,
         {0xe3c5ebe285ac1625u, 0x8ea09968fe31dbccu},
         {0x1.9a109ff09b1bdp-1, 0x1.e9bc2dd875173p-1},
         {202736035896495135u, 817654335944692935u},
         {0x1.a5c170234e89ep-4, -0x1.f607a848d4287p-1, -0x1.a28c84dd75dedp-1}},
        {0x0123456789abcdefu,
         {0xb615d4ad31fd27fcu, 0xf53f7b2b881f0ae4u},
         {0x1.0080439cda54cp-1, 0x1.f74b9a13846a8p-2},
         {3403130520275017149u, 2739804636840141762u},
         {-0x1.1cdcce7b4a1d8p+1, 0x1.a2068a59e70f1p+0, 0x1.ac2c8ba987940p-8}},
        {0xffffffffffffffffu,
         {0xae163a7a8c47568fu, 0xd86659f5f3382359u},
         {0x1.e52b195bc2d00p-8, 0x1.ca04d55e33445p-1},
         {446060376690720341u, 2038852954511578677u},
         {0x1.715303191d87bp-1, -0x1.f10c32096a2bdp-1, 0x1.1b8d40660f8bfp-4}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct vg_random random;

        vg_random_seed(&random, rows[i].seed);
        for (size_t k = 0; k < 2; k++)
            assert_true(vg_random_next(&random) == rows[i].raw[k]);
        for (size_t k = 0; k < 2; k++)
            assert_true(vg_random_double(&random) == rows[i].uniform[k]);
        for (size_t k = 0; k < 2; k++)
            assert_true(vg_random_below(&random, (uint64_t)3 << 60) == rows[i].below[k]);
        vg_random_seed(&random, rows[i].seed);
        for (size_t k = 0; k < 3; k++)
            assert_true(vg_random_normal(&random) == rows[i].normal[k]);
    }
}

static void put_little_endian(unsigned char *at, uint64_t bits, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++)
        at[k] = (unsigned char)(bits >> 8 * k);
}

/* SHA-256 of two million normals of one seed, as little-endian f32 or f64. */
enum { DRAWS = 2000000, PER_BLOCK = 4000 };
static void digest_normals(uint64_t seed, bool single, char hex[VG_DIGEST_HEX])
{
    static unsigned char bytes[8 * PER_BLOCK];
    struct vg_random random;
    struct vg_digest digest;
    size_t size = single ? 4 : 8;

    vg_random_seed(&random, seed);
    vg_digest_init(&digest, VG_SHA256);
    for (size_t block = 0; block < DRAWS / PER_BLOCK; block++) {
        for (size_t i = 0; i < PER_BLOCK; i++) {
            double x = vg_random_normal(&random);
            float f = (float)x;
            uint64_t bits = 0;
            uint32_t word;

            memcpy(&bits, &x, sizeof x);
            memcpy(&word, &f, sizeof f);
            put_little_endian(bytes + i * size, single ? word : bits, size);
        }
        vg_digest_add(&digest, bytes, PER_BLOCK * size);
    }
    vg_digest_finish(&digest, hex);
}

/* numpy's own digests: default_rng(seed).standard_normal(2000000).astype('<f4').tobytes(). */
static void test_two_million_normals(void **state)
{
    char hex[VG_DIGEST_HEX];

    (void)state;
    digest_normals(20240917, true, hex);
    assert_string_equal(hex, "294897bf39f87de929877febf7fa05576e97f1586e3d7e56528e0dd902b973db");
    digest_normals(0, true, hex);
    assert_string_equal(hex, "86ab57a7ad5d85ad476d3c01ee300182d0f9ff3cdd9d5e9c94ab2614b94c59ae");
}

/* In f64 about three draws in a million, all in the tail, differ from numpy's by one ulp, where the C
 * library's log1p is not the nearest double.  Seed 2^32 has none of them; seed 0 has six and pins ours. */
static void test_two_million_doubles(void **state)
{
    char hex[VG_DIGEST_HEX];

    (void)state;
    digest_normals((uint64_t)1 << 32, false, hex);
    assert_string_equal(hex, "d8218d4f834ecef81697f75daf61f62169c0d8b739dafa3dbb7f8f03a348c6e9");
    digest_normals(0, false, hex);
    assert_string_equal(hex, "2621025de301fa8e34c13659df816713e28a1f54be3c78872b25209156695ecd");
}

static void test_normals_are_normal(void **state)
{
    struct vg_random random;
    double sum = 0, squares = 0, fourths = 0, largest = 0;
    const double n = 1e6;

    (void)state;
    vg_random_seed(&random, 11);
    for (size_t i = 0; i < 1000000; i++) {
        double x = vg_random_normal(&random);

        sum += x;
        squares += x * x;
        fourths += x * x * x * x;
        largest = fabs(x) > largest ? fabs(x) : largest;
    }
    assert_true(fabs(sum / n) < 0.004); /* four standard errors each */
    assert_true(fabs(squares / n - 1) < 0.0057);
    assert_true(fabs(fourths / n - 3) < 0.04);
    assert_true(largest > 4.2 && largest < 6.5); /* the tail beyond 3.65 is drawn */
}

static void test_below_is_fair(void **state)
{
    struct vg_random random;
    unsigned counts[7] = {0};

    (void)state;
    vg_random_seed(&random, 5);
    for (unsigned i = 0; i < 70000; i++) {
        uint64_t draw = vg_random_below(&random, 7);

        assert_true(draw < 7);
        counts[draw]++;
    }
    for (unsigned i = 0; i < 7; i++)
        assert_in_range(counts[i], 9600, 10400);
    assert_int_equal(vg_random_below(&random, 1), 0);
    for (unsigned i = 0; i < 1000; i++) /* half of all draws are rejected here */
        assert_true(vg_random_below(&random, ((uint64_t)1 << 63) + 1) <= (uint64_t)1 << 63);
}

/* printf '42:beep_01__beep_01__linear__low__up' | sha256sum: the first sixteen digits. */
static void test_entropy_of_text(void **state)
{
    (void)state;
    assert_true(vg_random_entropy("42:beep_01__beep_01__linear__low__up") == 0x41405af9cece7f62u);
    assert_true(vg_random_entropy("") == 0xe3b0c44298fc1c14u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numpy_draws_the_same), cmocka_unit_test(test_two_million_normals),
        cmocka_unit_test(test_two_million_doubles),  cmocka_unit_test(test_normals_are_normal),
        cmocka_unit_test(test_below_is_fair),        cmocka_unit_test(test_entropy_of_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
