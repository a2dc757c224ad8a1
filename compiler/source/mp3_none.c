/* SPDX-License-Identifier: MIT */
/* Decoder: none for MP3, where the compiler is built without libavcodec; libsndfile reads it then, and the
 * pins of a selection say where that gives other samples. */
#include "decoder.h"

const struct vg_decoder vg_decoder_mp3 = {.how = ""};
