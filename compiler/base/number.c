/* SPDX-License-Identifier: MIT */
/* Numbers in text, the same on every machine: shortest decimals that read back as the same double, fixed
 * decimals, and reading.  The C library's conversions are correctly rounded and the program never leaves
 * the "C" locale for numbers, so they are used here and nowhere else. */
#include "base.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Digits (no point, no trailing zeros) and the decimal exponent of the point: 0.d1d2... x 10^point. */
struct decimal {
    char digits[20];
    int count, point;
};

static struct decimal shortest(double magnitude)
{
    struct decimal d;
    char text[40];

    for (int precision = 0; precision <= 16; precision++) {
        snprintf(text, sizeof text, "%.*e", precision, magnitude);
        if (strtod(text, NULL) == magnitude)
            break;
    }
    d.count = 0;
    for (const char *c = text; *c != 'e'; c++)
        if (*c >= '0' && *c <= '9')
            d.digits[d.count++] = *c;
    d.point = (int)strtol(strchr(text, 'e') + 1, NULL, 10) + 1;
    while (d.count > 1 && d.digits[d.count - 1] == '0')
        d.count--;
    return d;
}

static void add_zeros(struct vg_text *text, int count)
{
    for (int i = 0; i < count; i++)
        vg_text_add_char(text, '0');
}

static void add_exponential(struct vg_text *text, const struct decimal *d)
{
    vg_text_add_char(text, d->digits[0]);
    if (d->count > 1) {
        vg_text_add_char(text, '.');
        vg_text_add_part(text, d->digits + 1, (size_t)d->count - 1);
    }
    vg_text_addf(text, "e%c%d", d->point > 0 ? '+' : '-', abs(d->point - 1));
}

/* ECMAScript Number::toString (ECMA-262 6.1.6.1.20), which RFC 8785 prescribes. */
void vg_text_add_double(struct vg_text *text, double value)
{
    struct decimal d;

    vg_check(isfinite(value));
    if (value == 0.0) {
        vg_text_add_char(text, '0');
        return;
    }
    if (value < 0)
        vg_text_add_char(text, '-');
    d = shortest(fabs(value));
    if (d.point > 21 || d.point < -5) {
        add_exponential(text, &d);
    } else if (d.point <= 0) {
        vg_text_add(text, "0.");
        add_zeros(text, -d.point);
        vg_text_add_part(text, d.digits, (size_t)d.count);
    } else if (d.count <= d.point) {
        vg_text_add_part(text, d.digits, (size_t)d.count);
        add_zeros(text, d.point - d.count);
    } else {
        vg_text_add_part(text, d.digits, (size_t)d.point);
        vg_text_add_char(text, '.');
        vg_text_add_part(text, d.digits + d.point, (size_t)(d.count - d.point));
    }
}

void vg_text_add_fixed(struct vg_text *text, double value, int decimals)
{
    char digits[400];
    bool all_zero = true;
    int length;

    vg_check(isfinite(value) && decimals >= 0 && decimals <= 9);
    length = snprintf(digits, sizeof digits, "%.*f", decimals, value);
    vg_check(length > 0 && (size_t)length < sizeof digits);
    for (const char *c = digits; *c != '\0'; c++)
        all_zero = all_zero && strchr("-0.", *c) != NULL;
    vg_text_add(text, digits + (all_zero && digits[0] == '-'));
}

/* Sign, digits, point, digits, exponent; at least one digit before or after the point. */
static bool is_decimal(const char *c)
{
    size_t digits = 0;

    c += *c == '+' || *c == '-';
    for (; *c >= '0' && *c <= '9'; c++)
        digits++;
    if (*c == '.')
        for (c++; *c >= '0' && *c <= '9'; c++)
            digits++;
    if (digits == 0)
        return false;
    if (*c == 'e' || *c == 'E') {
        c++;
        c += *c == '+' || *c == '-';
        if (*c < '0' || *c > '9')
            return false;
        while (*c >= '0' && *c <= '9')
            c++;
    }
    return *c == '\0';
}

bool vg_number_parse(const char *text, double *value)
{
    if (!is_decimal(text))
        return false;
    *value = strtod(text, NULL);
    return isfinite(*value) != 0;
}

bool vg_integer_parse(const char *text, int64_t *value)
{
    const char *digits = text + (*text == '-' || *text == '+');
    long long parsed;

    if (*digits == '\0' || strspn(digits, "0123456789") != strlen(digits))
        return false;
    errno = 0;
    parsed = strtoll(text, NULL, 10);
    if (errno != 0)
        return false;
    *value = parsed;
    return true;
}
