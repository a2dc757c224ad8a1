/* SPDX-License-Identifier: MIT */
/* A program built without the server (VG_SERVE=off): it says so. */
#include "serve.h"

int vg_server_start(struct vg_server **server, const struct vg_server_options *options, struct vg_error *err)
{
    *server = NULL;
    return vg_fail(err, VG_IO, options->address,
                   "this program was built without the server; configure with VG_SERVE=on");
}

const char *vg_server_url(const struct vg_server *server)
{
    (void)server;
    return "";
}

int vg_server_run(struct vg_server *server, struct vg_error *err)
{
    (void)server;
    (void)err;
    return VG_IO;
}

void vg_server_release(struct vg_server *server)
{
    (void)server;
}
