/* SPDX-License-Identifier: MIT */
/* The text of fft.c and fftf.c, which say what REAL is.  Stockham's self-sorting algorithm (Cochran et al.,
 * "What is the fast Fourier transform?", Proc. IEEE 55, 1967): every pass reads one pair of planes and
 * writes the other, in radix 4, then 2, then whatever primes are left.  A pass of radix r over points
 * that lie `stride` apart:
 *
 *   y[q + stride (r p + k)] = w^(p k)  sum_j x[q + stride (p + rest j)] e^(-2 pi i j k / r)
 *
 * with w = e^(-2 pi i / (r rest)).  The loop over q is the inner one and vectorises as it stands; only the
 * first pass, of stride 1, runs along p.  The inverse is the forward transform with the planes swapped. */

#include <string.h>

enum { PASSES_MAX = 64 };

struct pass {
    size_t radix, rest;
    const REAL *twiddles; /* w^(p k), k = 1 .. radix - 1: see pass_twiddles */
    const REAL *roots;    /* e^(-2 pi i k / radix), pairs; of odd radices only */
};
struct vg_fft {
    size_t n;      /* real values */
    size_t points; /* complex points: n/2 where n is even, else n */
    size_t pass_count;
    struct pass passes[PASSES_MAX];
    const REAL *turn_re, *turn_im; /* e^(-2 pi i k / n), k below points: joins the halves of an even n */
};
struct planes {
    REAL *re, *im;
};

static struct planes planes_take(size_t points, struct vg_arena *arena)
{
    return (struct planes){
        .re = vg_arena_take(arena, points, sizeof(REAL)),
        .im = vg_arena_take(arena, points, sizeof(REAL)),
    };
}

/* e^(-2 pi i k / n).  The angle is reduced to an octant in integers, so that the circle's symmetries hold to
 * the last bit. */
static struct vg_complex root_of_one(size_t k, size_t n)
{
    size_t eighths = 8 * (k % n), octant = eighths / n, part = eighths % n;
    bool odd = octant % 2 == 1;
    struct vg_sincos at = vg_sincos(VG_PI / 4.0 * (double)(odd ? n - part : part) / (double)n);
    double x = odd ? at.sin : at.cos, y = odd ? at.cos : at.sin; /* within its quarter */

    switch (octant / 2) {
    case 0:
        return (struct vg_complex){x, -y};
    case 1:
        return (struct vg_complex){-y, -x};
    case 2:
        return (struct vg_complex){-x, y};
    default:
        return (struct vg_complex){y, x};
    }
}

/* Pairs, p by p; but where the pass runs along p, planes of `rest` values: re and im of k = 1, of 2, of 3. */
static const REAL *pass_twiddles(const struct pass *pass, bool along_p, struct vg_arena *keep)
{
    size_t r = pass->radix, m = pass->rest;
    REAL *table = vg_arena_take(keep, 2 * (r - 1) * m, sizeof *table);

    for (size_t p = 0; p < m; p++)
        for (size_t k = 1; k < r; k++) {
            struct vg_complex w = root_of_one(p * k, r * m);
            size_t place = along_p ? 2 * (k - 1) * m + p : 2 * ((r - 1) * p + k - 1);

            table[place] = (REAL)w.re;
            table[place + (along_p ? m : 1)] = (REAL)w.im;
        }
    return table;
}

static const REAL *radix_roots(size_t radix, struct vg_arena *keep)
{
    REAL *table = vg_arena_take(keep, 2 * radix, sizeof *table);

    for (size_t k = 0; k < radix; k++) {
        struct vg_complex w = root_of_one(k, radix);

        table[2 * k] = (REAL)w.re;
        table[2 * k + 1] = (REAL)w.im;
    }
    return table;
}

static size_t next_radix(size_t points)
{
    if (points % 4 == 0)
        return 4;
    if (points % 2 == 0)
        return 2;
    for (size_t prime = 3; prime * prime <= points; prime += 2)
        if (points % prime == 0)
            return prime;
    return points;
}

static void add_pass(struct vg_fft *fft, size_t points, struct vg_arena *keep)
{
    struct pass *pass = &fft->passes[fft->pass_count];

    pass->radix = next_radix(points);
    pass->rest = points / pass->radix;
    pass->twiddles = pass_twiddles(pass, fft->pass_count == 0 && pass->radix == 4, keep);
    if (pass->radix % 2 == 1)
        pass->roots = radix_roots(pass->radix, keep);
    fft->pass_count++;
}

const struct vg_fft *vg_fft_make(size_t n, struct vg_arena *keep)
{
    struct vg_fft *fft = vg_arena_take_zero(keep, 1, sizeof *fft);

    vg_check(n >= 1 && n <= SIZE_MAX / 16);
    fft->n = n;
    fft->points = n % 2 == 0 ? n / 2 : n;
    for (size_t left = fft->points; left > 1; left = fft->passes[fft->pass_count - 1].rest)
        add_pass(fft, left, keep);

    struct planes turn = planes_take(fft->points, keep);
    for (size_t k = 0; k < fft->points; k++) {
        struct vg_complex w = root_of_one(k, n);

        turn.re[k] = (REAL)w.re;
        turn.im[k] = (REAL)w.im;
    }
    fft->turn_re = turn.re;
    fft->turn_im = turn.im;
    return fft;
}

/* Radix 4 along q: n points read from four rows `leg` apart, written to four rows of the caller's. */
static void butterfly4(size_t n, size_t leg, const REAL *restrict xr, const REAL *restrict xi,
                       REAL *restrict y0r, REAL *restrict y0i, REAL *restrict y1r, REAL *restrict y1i,
                       REAL *restrict y2r, REAL *restrict y2i, REAL *restrict y3r, REAL *restrict y3i,
                       const REAL *restrict w)
{
    const REAL w1r = w[0], w1i = w[1], w2r = w[2], w2i = w[3], w3r = w[4], w3i = w[5];

    for (size_t q = 0; q < n; q++) {
        REAL ar = xr[q] + xr[q + 2 * leg], ai = xi[q] + xi[q + 2 * leg];
        REAL br = xr[q + leg] + xr[q + 3 * leg], bi = xi[q + leg] + xi[q + 3 * leg];
        REAL cr = xr[q] - xr[q + 2 * leg], ci = xi[q] - xi[q + 2 * leg];
        REAL dr = xr[q + leg] - xr[q + 3 * leg], di = xi[q + leg] - xi[q + 3 * leg];
        REAL er = cr + di, ei = ci - dr, fr = ar - br, fi = ai - bi, gr = cr - di, gi = ci + dr;

        y0r[q] = ar + br;
        y0i[q] = ai + bi;
        y1r[q] = er * w1r - ei * w1i;
        y1i[q] = er * w1i + ei * w1r;
        y2r[q] = fr * w2r - fi * w2i;
        y2i[q] = fr * w2i + fi * w2r;
        y3r[q] = gr * w3r - gi * w3i;
        y3i[q] = gr * w3i + gi * w3r;
    }
}

/* The same along p, for the first pass: rows `m` apart in, four neighbours out. */
static void first4(size_t m, const REAL *restrict xr, const REAL *restrict xi, REAL *restrict yr,
                   REAL *restrict yi, const REAL *restrict w)
{
    for (size_t p = 0; p < m; p++) {
        REAL ar = xr[p] + xr[p + 2 * m], ai = xi[p] + xi[p + 2 * m];
        REAL br = xr[p + m] + xr[p + 3 * m], bi = xi[p + m] + xi[p + 3 * m];
        REAL cr = xr[p] - xr[p + 2 * m], ci = xi[p] - xi[p + 2 * m];
        REAL dr = xr[p + m] - xr[p + 3 * m], di = xi[p + m] - xi[p + 3 * m];
        REAL er = cr + di, ei = ci - dr, fr = ar - br, fi = ai - bi, gr = cr - di, gi = ci + dr;

        yr[4 * p] = ar + br;
        yi[4 * p] = ai + bi;
        yr[4 * p + 1] = er * w[p] - ei * w[p + m];
        yi[4 * p + 1] = er * w[p + m] + ei * w[p];
        yr[4 * p + 2] = fr * w[p + 2 * m] - fi * w[p + 3 * m];
        yi[4 * p + 2] = fr * w[p + 3 * m] + fi * w[p + 2 * m];
        yr[4 * p + 3] = gr * w[p + 4 * m] - gi * w[p + 5 * m];
        yi[4 * p + 3] = gr * w[p + 5 * m] + gi * w[p + 4 * m];
    }
}

static void pass4(const struct pass *pass, size_t stride, struct planes x, struct planes y)
{
    size_t leg = stride * pass->rest;

    for (size_t p = 0; p < pass->rest; p++) {
        REAL *re = y.re + 4 * stride * p, *im = y.im + 4 * stride * p;

        butterfly4(stride, leg, x.re + stride * p, x.im + stride * p, re, im, re + stride, im + stride,
                   re + 2 * stride, im + 2 * stride, re + 3 * stride, im + 3 * stride,
                   pass->twiddles + 6 * p);
    }
}

static void butterfly2(size_t n, size_t leg, const REAL *restrict xr, const REAL *restrict xi,
                       REAL *restrict y0r, REAL *restrict y0i, REAL *restrict y1r, REAL *restrict y1i,
                       const REAL *restrict w)
{
    const REAL wr = w[0], wi = w[1];

    for (size_t q = 0; q < n; q++) {
        REAL cr = xr[q] - xr[q + leg], ci = xi[q] - xi[q + leg];

        y0r[q] = xr[q] + xr[q + leg];
        y0i[q] = xi[q] + xi[q + leg];
        y1r[q] = cr * wr - ci * wi;
        y1i[q] = cr * wi + ci * wr;
    }
}

static void pass2(const struct pass *pass, size_t stride, struct planes x, struct planes y)
{
    for (size_t p = 0; p < pass->rest; p++) {
        REAL *re = y.re + 2 * stride * p, *im = y.im + 2 * stride * p;

        butterfly2(stride, stride * pass->rest, x.re + stride * p, x.im + stride * p, re, im, re + stride,
                   im + stride, pass->twiddles + 2 * p);
    }
}

/* Add n points, turned by `root`. */
static void add_turned(size_t n, const REAL *restrict xr, const REAL *restrict xi, const REAL *restrict root,
                       REAL *restrict yr, REAL *restrict yi)
{
    const REAL c = root[0], s = root[1];

    for (size_t q = 0; q < n; q++) {
        yr[q] += xr[q] * c - xi[q] * s;
        yi[q] += xr[q] * s + xi[q] * c;
    }
}

/* Point k of an odd radix, by the definition, for all q; y is zero. */
static void point_odd(const struct pass *pass, size_t stride, size_t p, size_t k, struct planes x, REAL *yr,
                      REAL *yi)
{
    static const REAL one[2] = {1, 0};
    size_t r = pass->radix, turn = 0; /* j k mod r */
    const REAL *w = k > 0 ? pass->twiddles + 2 * ((r - 1) * p + (k - 1)) : one;

    for (size_t j = 0; j < r; j++) {
        size_t from = stride * (p + pass->rest * j);

        add_turned(stride, x.re + from, x.im + from, pass->roots + 2 * turn, yr, yi);
        turn = turn + k < r ? turn + k : turn + k - r;
    }
    for (size_t q = 0; q < stride; q++) {
        REAL re = yr[q], im = yi[q];

        yr[q] = re * w[0] - im * w[1];
        yi[q] = re * w[1] + im * w[0];
    }
}

static void pass_odd(const struct pass *pass, size_t stride, struct planes x, struct planes y)
{
    size_t r = pass->radix, m = pass->rest;

    memset(y.re, 0, r * m * stride * sizeof *y.re);
    memset(y.im, 0, r * m * stride * sizeof *y.im);
    for (size_t p = 0; p < m; p++)
        for (size_t k = 0; k < r; k++)
            point_odd(pass, stride, p, k, x, y.re + stride * (r * p + k), y.im + stride * (r * p + k));
}

/* Complex points from x; both planes are overwritten, and the one that holds the result is returned. */
static struct planes transform(const struct vg_fft *fft, struct planes x, struct planes y)
{
    size_t stride = 1;

    for (size_t i = 0; i < fft->pass_count; i++) {
        const struct pass *pass = &fft->passes[i];

        if (pass->radix == 4 && i == 0)
            first4(pass->rest, x.re, x.im, y.re, y.im, pass->twiddles);
        else if (pass->radix == 4)
            pass4(pass, stride, x, y);
        else if (pass->radix == 2)
            pass2(pass, stride, x, y);
        else
            pass_odd(pass, stride, x, y);
        stride *= pass->radix;

        struct planes done = y;
        y = x;
        x = done;
    }
    return x;
}

/* Bins of even n from the transform z of its even samples (real part) and odd samples (imaginary part):
 * the spectra E and O of the two are z's parts of even and odd symmetry, and bin k is E + e^(-2 pi i k / n)
 * O. */
static void bins_of_halves(const struct vg_fft *fft, const REAL *restrict zr, const REAL *restrict zi,
                           REAL *restrict re, REAL *restrict im)
{
    const REAL half = (REAL)0.5;
    size_t m = fft->points;

    for (size_t k = 1; k < m; k++) {
        REAL er = half * (zr[k] + zr[m - k]), ei = half * (zi[k] - zi[m - k]);
        REAL or = half * (zi[k] + zi[m - k]), oi = half * (zr[m - k] - zr[k]);

        re[k] = er + (or *fft->turn_re[k] - oi * fft->turn_im[k]);
        im[k] = ei + (or *fft->turn_im[k] + oi * fft->turn_re[k]);
    }
    re[0] = zr[0] + zi[0];
    re[m] = zr[0] - zi[0];
    im[0] = im[m] = 0;
}

void vg_fft_split(const struct vg_fft *fft, const REAL *in, REAL *re, REAL *im, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    size_t m = fft->points;
    struct planes x = planes_take(m, tmp), y = planes_take(m, tmp), z;
    bool even = fft->n % 2 == 0;

    for (size_t k = 0; k < m; k++) {
        x.re[k] = even ? in[2 * k] : in[k];
        x.im[k] = even ? in[2 * k + 1] : 0;
    }
    z = transform(fft, x, y);
    if (even) {
        bins_of_halves(fft, z.re, z.im, re, im);
    } else {
        memcpy(re, z.re, (fft->n / 2 + 1) * sizeof *re);
        memcpy(im, z.im, (fft->n / 2 + 1) * sizeof *im);
    }
    vg_arena_rewind(tmp, mark);
}

/* The way back, scaled by 1/n. */
static void halves_of_bins(const struct vg_fft *fft, const REAL *restrict re, const REAL *restrict im,
                           REAL *restrict zr, REAL *restrict zi)
{
    const REAL scale = (REAL)1 / (REAL)fft->n;
    size_t m = fft->points;

    for (size_t k = 1; k < m; k++) {
        REAL er = re[k] + re[m - k], ei = im[k] - im[m - k];
        REAL dr = re[k] - re[m - k], di = im[k] + im[m - k];
        REAL or = dr * fft->turn_re[k] + di * fft->turn_im[k]; /* turned back */
        REAL oi = di * fft->turn_re[k] - dr * fft->turn_im[k];

        zr[k] = scale * (er - oi);
        zi[k] = scale * (ei + or);
    }
    zr[0] = scale * (re[0] + re[m]);
    zi[0] = scale * (re[0] - re[m]);
}

/* Odd n has no halves: the whole spectrum, by its symmetry. */
static void whole_of_bins(const struct vg_fft *fft, const REAL *re, const REAL *im, struct planes x)
{
    const REAL scale = (REAL)1 / (REAL)fft->n;
    size_t n = fft->n;

    x.re[0] = scale * re[0];
    x.im[0] = 0;
    for (size_t k = 1; k <= n / 2; k++) {
        x.re[k] = x.re[n - k] = scale * re[k];
        x.im[k] = scale * im[k];
        x.im[n - k] = -x.im[k];
    }
}

void vg_fft_join(const struct vg_fft *fft, const REAL *re, const REAL *im, REAL *out, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    size_t m = fft->points;
    struct planes x = planes_take(m, tmp), y = planes_take(m, tmp), z;
    bool even = fft->n % 2 == 0;

    if (even)
        halves_of_bins(fft, re, im, x.re, x.im);
    else
        whole_of_bins(fft, re, im, x);
    z = transform(fft, (struct planes){x.im, x.re}, (struct planes){y.im, y.re});
    for (size_t k = 0; k < m; k++) { /* planes still swapped */
        if (even) {
            out[2 * k] = z.im[k];
            out[2 * k + 1] = z.re[k];
        } else {
            out[k] = z.im[k];
        }
    }
    vg_arena_rewind(tmp, mark);
}
