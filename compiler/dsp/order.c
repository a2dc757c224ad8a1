/* SPDX-License-Identifier: MIT */
/* The k-th smallest of some values, without sorting them (Hoare 1961, "Find"). */
#include "dsp.h"

static void swap(double *a, double *b)
{
    double held = *a;

    *a = *b;
    *b = held;
}

double vg_kth_smallest(double *x, size_t n, size_t k)
{
    size_t low = 0, high = n - 1;

    while (low < high) {
        double pivot = x[low + (high - low) / 2];
        size_t i = low, j = high;

        while (i <= j) {
            while (x[i] < pivot)
                i++;
            while (pivot < x[j])
                j--;
            if (i <= j) {
                swap(&x[i++], &x[j]);
                if (j == 0)
                    break;
                j--;
            }
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            break;
    }
    return x[k];
}
