/* SPDX-License-Identifier: MIT */
/* The human study made ready: items chosen by the release's own spec, annotators and earlier answers read.
 * The clock stamps people's answers and nothing else: they are no part of a release. */
#include "annotate.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Days since 1970-01-01 to a date of the Gregorian calendar: counted from 1 March, the leap day ends the
 * year. */
static void date_of(int64_t days, int64_t *year, int64_t *month, int64_t *day)
{
    enum { DAYS_400 = 146097, DAYS_100 = 36524, DAYS_4 = 1461, DAYS_BEFORE_1970 = 719468 };
    int64_t era = (days + DAYS_BEFORE_1970) / DAYS_400, of_era = (days + DAYS_BEFORE_1970) % DAYS_400;
    int64_t years = (of_era - of_era / (DAYS_4 - 1) + of_era / DAYS_100 - of_era / (DAYS_400 - 1)) / 365;
    int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
    int64_t from_march = (5 * of_year + 2) / 153; /* five months have 153 days */

    *day = of_year - (153 * from_march + 2) / 5 + 1;
    *month = from_march < 10 ? from_march + 3 : from_march - 9;
    *year = 400 * era + years + (*month <= 2);
}

static void put_digits(char *text, int digits, int64_t value)
{
    while (digits-- > 0) {
        text[digits] = (char)('0' + value % 10);
        value /= 10;
    }
}

static void tell_utc(char text[VG_UTC_BYTES])
{
    struct timespec now = {0};
    int64_t year, month, day, sec;

    clock_gettime(CLOCK_REALTIME, &now);
    sec = (int64_t)now.tv_sec > 0 ? (int64_t)now.tv_sec : 0;
    date_of(sec / 86400, &year, &month, &day);
    memcpy(text, "0000-00-00T00:00:00Z", VG_UTC_BYTES);
    put_digits(text, 4, year);
    put_digits(text + 5, 2, month);
    put_digits(text + 8, 2, day);
    put_digits(text + 11, 2, sec / 3600 % 24);
    put_digits(text + 14, 2, sec / 60 % 60);
    put_digits(text + 17, 2, sec % 60);
}

/* The spec that lies in the release. */
static int read_spec(struct vg_annotating *annotating, struct vg_call *call)
{
    const char *release = call->operands[0];
    int rc;

    call->operands[0] = vg_path_join(&call->arena, release, "spec.yaml");
    rc = vg_work_spec(&annotating->work, call);
    call->operands[0] = release;
    return rc;
}

static void tell(const struct vg_annotating *annotating, struct vg_call *call)
{
    const struct vg_study *study = &annotating->study;
    size_t annotators, answers;

    for (size_t i = 0; i < study->part_count; i++)
        if (study->parts[i].lacking > 0)
            vg_warn(&call->err, study->parts[i].category,
                    "%zu chosen items are not in the release, left out for their label; %zu are heard",
                    study->parts[i].lacking, study->parts[i].count);
    vg_annotate_count(annotating->annotate, &annotators, &answers);
    vg_say(call, "%s: %zu items in %zu categories of the split %s; %zu annotators; %zu answers so far",
           call->operands[0], study->item_count, study->part_count, study->split, annotators, answers);
    vg_print_issues(&call->err);
}

/* A release holds nothing that a build has not put there: answers inside would make `verify` fail. */
static int check_outside(struct vg_call *call, const char *folder)
{
    struct stat release, above;
    const char *path = folder;
    bool top = stat(call->operands[0], &release) != 0; /* told by whoever reads it */

    while (!top) {
        const char *up = vg_path_folder(&call->arena, path);

        if (stat(path, &above) == 0 && above.st_dev == release.st_dev && above.st_ino == release.st_ino)
            return vg_fail(&call->err, VG_USAGE, "--annotate",
                           "%s lies inside the release; give a folder beside it", folder);
        top = strcmp(up, path) == 0;
        path = up;
    }
    return VG_OK;
}

int vg_annotating_open(struct vg_annotating *annotating, struct vg_call *call)
{
    struct vg_annotate_options options = {.release = call->operands[0],
                                          .study = &annotating->study,
                                          .folder = vg_call_text(call, "annotate", NULL),
                                          .annotators = vg_call_text(call, "annotators", NULL),
                                          .utc = tell_utc};
    int rc = VG_OK;

    if (options.folder == NULL || options.annotators == NULL)
        return vg_fail(
            &call->err, VG_USAGE, "serve",
            "--annotate and --annotators go together: a folder for the answers, and who gives them");
    rc = check_outside(call, options.folder);
    if (rc == VG_OK)
        rc = read_spec(annotating, call);
    if (rc == VG_OK)
        rc = vg_study_read(&annotating->study, call->operands[0], &annotating->work.spec,
                           vg_call_text(call, "split", NULL),
                           vg_call_count(call, "items", VG_ANNOTATED_ITEMS), &call->err);
    if (rc == VG_OK)
        rc = vg_annotate_open(&annotating->annotate, &options, &call->err);
    if (rc == VG_OK)
        tell(annotating, call);
    return rc;
}

void vg_annotating_release(struct vg_annotating *annotating)
{
    vg_annotate_release(annotating->annotate);
    vg_study_release(&annotating->study);
}
