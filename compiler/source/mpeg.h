/* SPDX-License-Identifier: MIT */
/* Inside source: the header of one frame of an MP3 file. */
#ifndef VG_MPEG_H
#define VG_MPEG_H

#include "base.h"

struct vg_mpeg_frame {
    uint32_t rate_hz, channels, samples; /* samples of one channel */
    uint32_t bytes;                      /* of the whole frame */
    uint32_t side_bytes;                 /* of the side information, where the tag hides */
};
/* False where this is no header of layer III, or one of free format. */
bool vg_mpeg_frame_read(const unsigned char header[4], struct vg_mpeg_frame *frame);

#endif
