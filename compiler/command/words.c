/* SPDX-License-Identifier: MIT */
/* Words to people: diagnostics, notes and the progress bar, on stderr; data on stdout.  The clock is read
 * here for the bar alone and reaches no file. */
#include "command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool colour(void)
{
    const char *no = getenv("NO_COLOR");

    return (no == NULL || *no == '\0') && isatty(STDERR_FILENO);
}

void vg_print_issues(struct vg_error *err)
{
    bool bright = colour();

    for (size_t i = 0; i < err->count; i++) {
        const struct vg_issue *issue = &err->issues[i];
        const char *kind = issue->code == VG_OK ? "warning" : "error";
        const char *tint = !bright ? "" : issue->code == VG_OK ? "\033[35m" : "\033[31m";

        fprintf(stderr, "%s: %s%s:%s %s\n", issue->place, tint, kind, bright ? "\033[0m" : "",
                issue->sentence);
        if (issue->excerpt != NULL)
            fprintf(stderr, "%s%s", issue->excerpt,
                    issue->excerpt[0] != '\0' && issue->excerpt[strlen(issue->excerpt) - 1] == '\n' ? ""
                                                                                                    : "\n");
    }
    vg_error_release(err);
}

void vg_say(const struct vg_call *call, const char *format, ...)
{
    va_list args;

    if (call->quiet)
        return;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

int vg_print_out(struct vg_call *call, const struct vg_text *text)
{
    if (fwrite(vg_text_or_empty(text), 1, text->length, stdout) != text->length || fflush(stdout) != 0)
        return vg_fail_errno(&call->err, VG_IO, "standard output", "cannot write");
    return VG_OK;
}

static double now_sec(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void vg_progress_begin(struct vg_progress *progress, const struct vg_call *call, const char *what,
                       size_t total)
{
    const char *when = vg_call_text(call, "progress", "auto");

    *progress = (struct vg_progress){.what = what, .total = total};
    progress->shown = !call->quiet && total > 0 && strcmp(when, "never") != 0 &&
                      (strcmp(when, "always") == 0 || isatty(STDERR_FILENO));
    progress->started_sec = now_sec();
    if (progress->shown)
        vg_progress_step(progress, 0);
}

static void draw(const struct vg_progress *progress, double elapsed)
{
    enum { WIDTH = 24 };
    char bar[WIDTH + 1];
    size_t filled = progress->done * WIDTH / progress->total;
    double rate = elapsed > 0 ? (double)progress->done / elapsed : 0;
    double left = rate > 0 ? (double)(progress->total - progress->done) / rate : 0;

    memset(bar, ' ', WIDTH);
    memset(bar, '#', filled);
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r%s [%s] %zu/%zu %5.0f/s %02.0f:%02d left ", progress->what, bar, progress->done,
            progress->total, rate, (double)(long)(left / 60), (int)left % 60);
}

void vg_progress_step(struct vg_progress *progress, size_t done)
{
    double now;

    progress->done = done;
    if (!progress->shown || progress->total == 0)
        return;
    now = now_sec();
    if (now - progress->printed_sec < 0.1 && done < progress->total)
        return;
    progress->printed_sec = now;
    draw(progress, now - progress->started_sec);
}

void vg_progress_end(struct vg_progress *progress)
{
    if (progress->shown)
        fputc('\n', stderr);
    progress->shown = false;
}
