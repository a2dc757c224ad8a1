/* SPDX-License-Identifier: MIT */
/* Ctrl-C and its like: a build stops between two items, clears up and says so.  A second one kills. */
#include "command.h"

#include <signal.h>

static volatile sig_atomic_t interrupted;

static void remember(int signal_number)
{
    interrupted = signal_number;
}

void vg_interrupt_watch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = remember, .sa_flags = (int)SA_RESETHAND};

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

bool vg_interrupt_came(void)
{
    return interrupted != 0;
}

int vg_interrupt_check(struct vg_error *err, const char *place)
{
    if (interrupted == 0)
        return VG_OK;
    return vg_fail(err, VG_IO, place,
                   "interrupted by signal %d; nothing is left under the final name; the same command goes on "
                   "with what is in the cache",
                   (int)interrupted);
}
