/* SPDX-License-Identifier: MIT */
/* Writes compiler/dsp/random_tables.c to stdout: the 256-layer ziggurat of the normal density as numpy's
 * standard_normal has it (Marsaglia and Tsang, J. Stat. Softw. 5(8), 2000; the tail in layer 0).
 *
 * The published tables are not the correctly rounded ones: they are what this recursion gives in double
 * precision, each step from the rounded step before, with the layer bounds rounded to nearest.  Every
 * exponential is the nearest double but that of layer 38, where the value lies 0.498 ulp above a double and
 * the published table has the next one up.  A test compares the output with the file in the tree:  build,
 * then  tests/dsp/make_random_tables > compiler/dsp/random_tables.c */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <mpfr.h>

enum { LAYERS = 256, ROUNDED_UP = 38 };
static const double TAIL_START = 3.6541528853610088, LAYER_AREA = 0.0049286732339746519;
static const double SCALE = 0x1p52; /* draws have 52 bits */

static double nearest(int function(mpfr_t, const mpfr_t, mpfr_rnd_t), double x)
{
    mpfr_t a;

    mpfr_init2(a, 53);
    mpfr_set_d(a, x, MPFR_RNDN);
    function(a, a, MPFR_RNDN);
    double result = mpfr_get_d(a, MPFR_RNDN);
    mpfr_clear(a);
    return result;
}

struct layer {
    uint64_t inside; /* draws below this are inside the layer above */
    double width, density;
};

static void compute(struct layer layers[LAYERS])
{
    double outer = TAIL_START;
    struct layer *last = &layers[LAYERS - 1];

    last->width = outer / SCALE;
    last->density = nearest(mpfr_exp, -0.5 * outer * outer);
    layers[0].inside = (uint64_t)rint(outer * last->density / LAYER_AREA * SCALE);
    layers[0].width = LAYER_AREA / last->density / SCALE;
    layers[0].density = 1.0;
    for (unsigned i = LAYERS - 2; i > 0; i--) {
        double x = sqrt(-2.0 * nearest(mpfr_log, LAYER_AREA / outer + layers[i + 1].density));

        layers[i + 1].inside = (uint64_t)rint(x / outer * SCALE);
        layers[i].width = x / SCALE;
        layers[i].density = nearest(mpfr_exp, -0.5 * x * x);
        if (i == ROUNDED_UP)
            layers[i].density = nextafter(layers[i].density, 1.0);
        outer = x;
    }
    layers[1].inside = 0;
}

int main(void)
{
    static struct layer layers[LAYERS];

    compute(layers);
    puts("/* SPDX-License-Identifier: MIT */\n"
         "/* The ziggurat of numpy's standard_normal.  Written by tests/dsp/make_random_tables.c, which says "
         "what\n"
         " * stands here; not to be edited. */\n"
         "/* clang-format off */\n"
         "#include \"random_tables.h\"\n"
         "\n"
         "const struct normal_layer vg_normal_layers[256] = {");
    for (unsigned i = 0; i < LAYERS; i++)
        printf("    {0x%013llx, %a, %a},\n", (unsigned long long)layers[i].inside, layers[i].width,
               layers[i].density);
    puts("};");
    mpfr_free_cache();
    return 0;
}
