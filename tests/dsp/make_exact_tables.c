/* SPDX-License-Identifier: MIT */
/* Writes compiler/dsp/exact_tables.c to stdout.  Every entry is computed by MPFR with 300 bits (2/pi: 1400)
 * and split into a double nearest to it and the double nearest to the rest.  A test compares the output
 * with the file in the tree:  build, then  tests/dsp/make_exact_tables > compiler/dsp/exact_tables.c */
#include <stdint.h>
#include <stdio.h>
#include <mpfr.h>

enum { BITS = 300 };

static void open_table(const char *declaration)
{
    printf("\nconst %s = {\n", declaration);
}

static void close_table(void)
{
    puts("\n};");
}

/* Two pairs a line. */
static void put_pair(const mpfr_t value, unsigned j)
{
    mpfr_t rest;
    double high = mpfr_get_d(value, MPFR_RNDN);

    mpfr_init2(rest, BITS);
    mpfr_sub_d(rest, value, high, MPFR_RNDN);
    printf("%s{%a, %a},", j == 0 ? "    " : j % 2 == 0 ? "\n    " : " ", high, mpfr_get_d(rest, MPFR_RNDN));
    mpfr_clear(rest);
}

/* sin(j pi/512) for j = 0..256; cos(j pi/512) stands at 256 - j. */
static void write_sine(void)
{
    mpfr_t a;

    mpfr_init2(a, BITS);
    open_table("struct pair vg_exact_sine[257]");
    for (unsigned j = 0; j <= 256; j++) {
        mpfr_const_pi(a, MPFR_RNDN);
        mpfr_mul_ui(a, a, j, MPFR_RNDN);
        mpfr_div_ui(a, a, 512, MPFR_RNDN);
        mpfr_sin(a, a, MPFR_RNDN);
        put_pair(a, j);
    }
    close_table();
    mpfr_clear(a);
}

/* atan(j/128) for j = 0..128. */
static void write_arc(void)
{
    mpfr_t a;

    mpfr_init2(a, BITS);
    open_table("struct pair vg_exact_arc[129]");
    for (unsigned j = 0; j <= 128; j++) {
        mpfr_set_d(a, j / 128.0, MPFR_RNDN);
        mpfr_atan(a, a, MPFR_RNDN);
        put_pair(a, j);
    }
    close_table();
    mpfr_clear(a);
}

/* 2^(j/128) for j = 0..127. */
static void write_power(void)
{
    mpfr_t a;

    mpfr_init2(a, BITS);
    open_table("struct pair vg_exact_power[128]");
    for (unsigned j = 0; j < 128; j++) {
        mpfr_set_d(a, j / 128.0, MPFR_RNDN);
        mpfr_exp2(a, a, MPFR_RNDN);
        put_pair(a, j);
    }
    close_table();
    mpfr_clear(a);
}

/* For m in [1 + j/128, 1 + (j+1)/128), halved where j >= 53 (m > sqrt 2): the reciprocal of the middle as a
 * multiple of 2^-10, so that it multiplies 41 bits exactly, and minus its logarithm; the upper part is a
 * multiple of 2^-42, so that it adds to any multiple of ln 2's upper part exactly.  The two bins that touch 1
 * have reciprocal 1: no cancellation there. */
static void write_logarithm(void)
{
    mpfr_t a, rest;

    mpfr_inits2(BITS, a, rest, (mpfr_ptr)NULL);
    open_table("struct exact_bin vg_exact_bins[128]");
    for (unsigned j = 0; j < 128; j++) {
        double middle = (1.0 + (j + 0.5) / 128.0) * (j >= 53 ? 0.5 : 1.0);
        mpfr_set_d(a, 1024.0 / middle, MPFR_RNDN);
        mpfr_rint(a, a, MPFR_RNDN);
        double reciprocal = j == 0 || j == 127 ? 1.0 : mpfr_get_d(a, MPFR_RNDN) / 1024.0;
        mpfr_set_d(a, reciprocal, MPFR_RNDN);
        mpfr_log(a, a, MPFR_RNDN);
        mpfr_neg(a, a, MPFR_RNDN);
        mpfr_mul_2ui(rest, a, 42, MPFR_RNDN);
        mpfr_rint(rest, rest, MPFR_RNDN);
        double high = mpfr_get_d(rest, MPFR_RNDN) * 0x1p-42 + 0.0; /* no negative zero */
        mpfr_sub_d(rest, a, high, MPFR_RNDN);
        printf("%s    {%a, %a, %a},", j == 0 ? "" : "\n", reciprocal, high,
               mpfr_get_d(rest, MPFR_RNDN) + 0.0);
    }
    close_table();
    mpfr_clears(a, rest, (mpfr_ptr)NULL);
}

/* 2/pi in 32-bit words, the first holding the 32 bits after the binary point. */
static void write_two_over_pi(void)
{
    mpfr_t a;

    mpfr_init2(a, 1400);
    mpfr_const_pi(a, MPFR_RNDN);
    mpfr_ui_div(a, 2, a, MPFR_RNDN);
    printf("\nconst uint32_t vg_exact_two_over_pi[42] = {");
    for (unsigned j = 0; j < 42; j++) {
        mpfr_mul_2ui(a, a, 32, MPFR_RNDN);
        unsigned long word = mpfr_get_ui(a, MPFR_RNDZ);
        mpfr_sub_ui(a, a, word, MPFR_RNDN);
        printf("%s0x%08lx,", j % 8 == 0 ? "\n    " : " ", word);
    }
    printf("\n};\n");
    mpfr_clear(a);
}

int main(void)
{
    puts("/* SPDX-License-Identifier: MIT */\n"
         "/* Tables of the exact functions, each value as a double and the rest that it leaves.  Written by\n"
         " * tests/dsp/make_exact_tables.c, which says what stands in each; not to be edited. */\n"
         "/* clang-format off */\n"
         "#include \"exact_tables.h\"");
    write_sine();
    write_arc();
    write_power();
    write_logarithm();
    write_two_over_pi();
    mpfr_free_cache();
    return 0;
}
