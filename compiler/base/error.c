/* SPDX-License-Identifier: MIT */
/* Diagnostics: a growing list that a caller fills and the command line prints. */
#include "base.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *copy_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = vg_memory_take(bytes, 1);

    memcpy(copy, text, bytes);
    return copy;
}

static struct vg_issue *add_issue(struct vg_error *err, int code, const char *place)
{
    struct vg_issue *issue;

    if (err->count == err->room) {
        err->room = err->room ? 2 * err->room : 8;
        err->issues = vg_memory_grow(err->issues, err->room, sizeof *err->issues);
    }
    issue = &err->issues[err->count++];
    issue->code = code;
    issue->place = copy_text(place);
    issue->sentence = NULL;
    issue->excerpt = NULL;
    return issue;
}

/* `reason`, of the system, may be NULL. */
static void say(struct vg_issue *issue, const char *reason, const char *format, va_list args)
{
    struct vg_text text = {0};

    vg_text_addv(&text, format, args);
    if (reason != NULL)
        vg_text_addf(&text, ": %s", reason);
    issue->sentence = copy_text(vg_text_or_empty(&text));
    vg_text_release(&text);
}

int vg_fail(struct vg_error *err, int code, const char *place, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(add_issue(err, code, place), NULL, format, args);
    va_end(args);
    return code;
}

int vg_fail_errno(struct vg_error *err, int code, const char *place, const char *format, ...)
{
    int number = errno;
    char reason[256];
    va_list args;

    if (strerror_r(number, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "system error %d", number);
    va_start(args, format);
    say(add_issue(err, code, place), reason, format, args);
    va_end(args);
    return code;
}

void vg_warn(struct vg_error *err, const char *place, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(add_issue(err, VG_OK, place), NULL, format, args);
    va_end(args);
}

void vg_error_excerpt(struct vg_error *err, const char *excerpt)
{
    struct vg_issue *newest;

    vg_check(err->count > 0);
    newest = &err->issues[err->count - 1];
    free(newest->excerpt);
    newest->excerpt = copy_text(excerpt);
}

void vg_error_move(struct vg_error *to, struct vg_error *from)
{
    if (from->count == 0)
        return;
    if (to->count + from->count > to->room) {
        to->room = to->count + from->count;
        to->issues = vg_memory_grow(to->issues, to->room, sizeof *to->issues);
    }
    memcpy(&to->issues[to->count], from->issues, from->count * sizeof *from->issues);
    to->count += from->count;
    from->count = 0;
}

int vg_error_code(const struct vg_error *err)
{
    for (size_t i = 0; i < err->count; i++)
        if (err->issues[i].code != VG_OK)
            return err->issues[i].code;
    return VG_OK;
}

void vg_error_release(struct vg_error *err)
{
    for (size_t i = 0; i < err->count; i++) {
        free(err->issues[i].place);
        free(err->issues[i].sentence);
        free(err->issues[i].excerpt);
    }
    free(err->issues);
    *err = (struct vg_error){0};
}

void vg_check_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "vocalgrad: internal error: %s does not hold at %s:%d\n", condition, file, line);
    abort();
}
