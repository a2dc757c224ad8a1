/* SPDX-License-Identifier: MIT */
/* What a page draws of a sound: least and greatest sample of every column of pixels, and a spectrogram of as
 * many columns.  As bytes: a length (32 bits, little endian), that much JSON, then for each column two signed
 * bytes, then for each column `rows` bytes from the lowest frequency up.
 *
 * The window is a periodic Hann of some 21 ms.  Levels are dB of a full-scale sine. */
#include "library.h"

#include "dsp.h"

#include <string.h>

enum { COLUMNS_MAX = 900, COLUMN_FRAMES_MIN = 64, ROWS_MAX = 256, WINDOW_MIN = 64, WINDOW_MAX = 4096 };
#define WINDOW_SEC 0.024
#define LEAST_DB (-100.0)

struct drawing {
    const int16_t *samples;
    size_t frames, columns, window, rows;
    uint32_t rate_hz;
};

/* The largest power of two that is not longer than the window may be. */
static size_t window_of(uint32_t rate_hz)
{
    size_t window = WINDOW_MIN;

    while (window < WINDOW_MAX && 2 * (double)window <= WINDOW_SEC * rate_hz)
        window *= 2;
    return window;
}

static struct drawing plan(const int16_t *samples, size_t frames, uint32_t rate_hz)
{
    struct drawing d = {.samples = samples, .frames = frames, .rate_hz = rate_hz};

    d.columns = frames / COLUMN_FRAMES_MIN;
    d.columns = d.columns > COLUMNS_MAX ? COLUMNS_MAX : d.columns > 0 ? d.columns : 1;
    d.window = window_of(rate_hz);
    d.rows = d.window / 2 < ROWS_MAX ? d.window / 2 : ROWS_MAX;
    return d;
}

static size_t column_start(const struct drawing *d, size_t column)
{
    return (size_t)((uint64_t)column * d->frames / d->columns);
}

/* ---- peaks --------------------------------------------------------------------------------------------- */

static void add_peaks(const struct drawing *d, struct vg_text *out)
{
    for (size_t c = 0; c < d->columns; c++) {
        int least = INT16_MAX, greatest = INT16_MIN;

        for (size_t k = column_start(d, c); k < column_start(d, c + 1); k++) {
            least = d->samples[k] < least ? d->samples[k] : least;
            greatest = d->samples[k] > greatest ? d->samples[k] : greatest;
        }
        vg_text_add_char(out, (char)(least / 256));
        vg_text_add_char(out, (char)(greatest / 256));
    }
}

/* ---- spectrogram --------------------------------------------------------------------------------------- */

static double *make_window(size_t length, struct vg_arena *tmp)
{
    double *window = vg_arena_take(tmp, length, sizeof *window);

    for (size_t k = 0; k < length; k++)
        window[k] = 0.5 - 0.5 * vg_cos(2 * VG_PI * (double)k / (double)length);
    return window;
}

/* The window's samples around the middle of the column; zeros beyond the ends. */
static void take_window(const struct drawing *d, size_t column, const double *window, double *x)
{
    int64_t middle = (int64_t)((column_start(d, column) + column_start(d, column + 1)) / 2);
    int64_t first = middle - (int64_t)d->window / 2;

    for (size_t k = 0; k < d->window; k++) {
        int64_t at = first + (int64_t)k;

        x[k] = at >= 0 && at < (int64_t)d->frames ? window[k] * d->samples[at] : 0;
    }
}

/* A byte: 0 at LEAST_DB, 255 at the level of a full-scale sine. */
static char level_byte(double power, double full)
{
    double db = power > 0 ? 10 * vg_log10(power / full) : LEAST_DB;
    double level = (db - LEAST_DB) / -LEAST_DB * 255;

    return (char)(unsigned char)(level < 0 ? 0 : level > 255 ? 255 : vg_round_even(level));
}

static void add_levels(const struct drawing *d, struct vg_text *out, struct vg_arena *tmp)
{
    const struct vg_fft *fft = vg_fft_make(d->window, tmp);
    const double *window = make_window(d->window, tmp);
    double *x = vg_arena_take(tmp, d->window, sizeof *x);
    struct vg_complex *bins = vg_arena_take(tmp, d->window / 2 + 1, sizeof *bins);
    double full = (double)d->window / 4 * 32768;
    size_t each = d->window / 2 / d->rows;

    for (size_t c = 0; c < d->columns; c++) {
        struct vg_arena_mark mark = vg_arena_mark(tmp);

        take_window(d, c, window, x);
        vg_fft_forward(fft, x, bins, tmp);
        for (size_t r = 0; r < d->rows; r++) {
            double most = 0;

            for (size_t k = r * each; k < (r + 1) * each; k++) {
                double power = bins[k].re * bins[k].re + bins[k].im * bins[k].im;

                most = power > most ? power : most;
            }
            vg_text_add_char(out, level_byte(most, full * full));
        }
        vg_arena_rewind(tmp, mark);
    }
}

void vg_shape_write(const struct vg_shape *shape, struct vg_text *out, struct vg_arena *tmp)
{
    struct drawing d = plan(shape->samples, shape->frames, shape->rate_hz);
    struct vg_text head = {0};
    struct vg_json json;

    vg_json_init(&json, &head);
    vg_json_open(&json, NULL, '{');
    vg_json_integer(&json, "columns", (int64_t)d.columns);
    vg_json_string(&json, "fault", shape->fault);
    vg_json_integer(&json, "frames", (int64_t)d.frames);
    vg_json_double(&json, "least_db", LEAST_DB);
    vg_json_integer(&json, "rate_hz", d.rate_hz);
    vg_json_integer(&json, "rows", (int64_t)d.rows);
    vg_json_integer(&json, "window_frames", (int64_t)d.window);
    vg_json_close(&json, '}');
    for (int i = 0; i < 4; i++)
        vg_text_add_char(out, (char)(unsigned char)(head.length >> (8 * i) & 0xff));
    vg_text_add_part(out, head.data, head.length);
    vg_text_release(&head);
    add_peaks(&d, out);
    add_levels(&d, out, tmp);
}
