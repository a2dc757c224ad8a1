/* SPDX-License-Identifier: MIT */
/* Agreement beyond chance of many raters.  Where every subject has as many raters it is Fleiss (1971),
 * "Measuring nominal scale agreement among many raters", Psychological Bulletin 76(5):378-382.  Where they
 * differ, a subject's agreement weighs as much as it has raters beyond the first: Fleiss and Cuzick (1979),
 * "The reliability of dichotomous judgments: unequal numbers of judges per subject", Applied Psychological
 * Measurement 3(4):537-542, here for any number of answers. */
#include "study.h"

#include <math.h>

static unsigned raters_of(const unsigned *counts, size_t answers)
{
    unsigned raters = 0;

    for (size_t a = 0; a < answers; a++)
        raters += counts[a];
    return raters;
}

/* Chance: the sum of squares of the share that each answer has of all. */
static double expected_of(const unsigned *counts, size_t subjects, size_t answers, size_t ratings)
{
    double sum = 0;

    for (size_t a = 0; a < answers; a++) {
        size_t given = 0;
        double share;

        for (size_t s = 0; s < subjects; s++)
            if (raters_of(counts + s * answers, answers) > 1)
                given += counts[s * answers + a];
        share = (double)given / (double)ratings;
        sum += share * share;
    }
    return sum;
}

void vg_kappa_of(const unsigned *counts, size_t subjects, size_t answers, struct vg_kappa *kappa)
{
    double agreeing = 0;
    size_t weight = 0;

    *kappa =
        (struct vg_kappa){.observed = (double)NAN, .expected = (double)NAN, .kappa = (double)NAN, .alone = 0};
    for (size_t s = 0; s < subjects; s++) {
        const unsigned *row = counts + s * answers;
        unsigned raters = raters_of(row, answers);
        size_t pairs = 0;

        if (raters < 2) {
            kappa->alone += raters;
            continue;
        }
        for (size_t a = 0; a < answers; a++)
            pairs += (size_t)row[a] * (row[a] > 0 ? row[a] - 1 : 0);
        agreeing += (double)pairs / raters;
        weight += raters - 1;
        kappa->raters_min = kappa->subjects == 0 || raters < kappa->raters_min ? raters : kappa->raters_min;
        kappa->raters_max = raters > kappa->raters_max ? raters : kappa->raters_max;
        kappa->ratings += raters;
        kappa->subjects++;
    }
    if (kappa->subjects == 0)
        return;
    kappa->observed = agreeing / (double)weight;
    kappa->expected = expected_of(counts, subjects, answers, kappa->ratings);
    if (kappa->expected < 1)
        kappa->kappa = (kappa->observed - kappa->expected) / (1 - kappa->expected);
}
