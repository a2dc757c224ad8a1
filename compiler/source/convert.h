/* SPDX-License-Identifier: MIT */
/* Inside source: the one rule by which any sample becomes a 16-bit word, and channels one.
 *
 * 16-bit samples stay as they are; u8 is (x-128)*256 (libsndfile does that); wider integers are divided by
 * 2^(bits-16) and floats multiplied by 32768, both rounded to nearest, ties to even; what then lies outside
 * 16 bits is clipped and counted.  Channels are averaged after that, rounded to nearest, ties to even. */
#ifndef VG_CONVERT_H
#define VG_CONVERT_H

#include "dsp.h"

/* Integers of any width, left-justified in 32 bits.  Returns how many were clipped. */
size_t vg_words_from_ints(const int32_t *in, size_t count, int16_t *out);
/* Floats, full scale 1.  Stops at the first that is not finite: *done is then below count. */
size_t vg_words_from_reals(const double *in, size_t count, int16_t *out, size_t *done);
/* The mean of `channels` interleaved words (at most 2^15 channels) for each of `frames` frames. */
void vg_words_mix(const int16_t *in, size_t frames, size_t channels, int16_t *out);

#endif
