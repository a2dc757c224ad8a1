/* SPDX-License-Identifier: MIT */
/* Ctrl-C and its like: a build stops between two items, clears up and says so.  A second one kills.  Of a
 * worker that crashes nothing can be cleared up, but it is said what is left and what to do. */
#include "command.h"

#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void remember(int signal_number)
{
    interrupted = signal_number;
}

/* Runs once: the signal has its default back, which ends the process when the handler returns. */
static void say_last_words(int signal_number)
{
    static const char words[] =
        "vocalgrad: crashed, which is a fault of the program or of the machine; what is under a final name "
        "is "
        "whole, nothing new is; the same command clears up and goes on with what is in the cache\n";
    ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);

    (void)written;
    raise(signal_number);
}

/* Left alone where somebody else watches, such as a sanitizer. */
static void watch_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    struct sigaction action = {.sa_handler = say_last_words, .sa_flags = (int)SA_RESETHAND}, other;

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &other) == 0 && other.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
}

void vg_interrupt_watch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = remember, .sa_flags = (int)SA_RESETHAND};

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    watch_crashes();
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
