/* SPDX-License-Identifier: MIT */
/* Answers on the disk: a line is written by one call behind the lines before it and flushed before anybody is
 * told that it is saved.  What does not get there whole is cut off again, at once or when the log is opened
 * next; it was never confirmed. */
#include "annotate.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int take_lock(struct vg_answer_log *log, const char *folder, struct vg_error *err)
{
    const char *path = vg_path_join(&log->arena, folder, ".lock");
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

    if (file < 0)
        return vg_fail_errno(err, VG_IO, path, "cannot create");
    log->lock = file + 1;
    if (fcntl(file, F_SETLK, &whole) == 0)
        return VG_OK;
    if (errno != EACCES && errno != EAGAIN)
        return vg_fail_errno(err, VG_IO, path, "cannot lock");
    return vg_fail(err, VG_IO, folder,
                   "another server keeps its answers here; stop it, or give another folder");
}

static int open_file(struct vg_answer_log *log, const char *folder, struct vg_error *err)
{
    struct stat status;
    int file;

    log->path = vg_path_join(&log->arena, folder, "answers.jsonl");
    file = open(log->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0)
        return vg_fail_errno(err, VG_IO, log->path, "cannot be opened for writing");
    log->file = file + 1;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        return vg_fail(err, VG_IO, log->path, "is no regular file; answers would not be safe there");
    return vg_folder_sync(folder, err);
}

static bool write_all(int file, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(file, bytes, count);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

/* ---- the key of sessions ------------------------------------------------------------------------------- */

enum { RANDOM_BYTES = 32, KEY_DIGITS = 64 };

/* Chance, which nothing that belongs to a release may know: it only keeps strangers out. */
static bool draw(char key[VG_DIGEST_HEX])
{
    unsigned char bytes[RANDOM_BYTES];
    int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    bool drawn = file >= 0 && read(file, bytes, sizeof bytes) == (ssize_t)sizeof bytes;

    if (file >= 0)
        close(file);
    if (drawn)
        vg_digest_of(VG_SHA256, bytes, sizeof bytes, key);
    return drawn;
}

/* One that was not written to its end is drawn again: everybody logs in once more. */
static int take_key(struct vg_answer_log *log, const char *folder, struct vg_error *err)
{
    const char *path = vg_path_join(&log->arena, folder, "session.key");
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    bool kept = file >= 0 && read(file, log->key, KEY_DIGITS) == KEY_DIGITS &&
                strspn(log->key, "0123456789abcdef") == KEY_DIGITS;
    bool taken = kept || (file >= 0 && ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0 &&
                          draw(log->key) && write_all(file, log->key, KEY_DIGITS) && fsync(file) == 0);
    int rc = taken ? VG_OK : vg_fail_errno(err, VG_IO, path, "cannot keep the key of sessions");

    if (file >= 0)
        close(file);
    return rc;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static int keep_tail(struct vg_answer_log *log, const char *tail, size_t count, struct vg_error *err)
{
    const char *path = vg_arena_format(&log->arena, "%s.torn", log->path);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    bool kept = file >= 0 && write_all(file, tail, count) && write_all(file, "\n", 1) && fsync(file) == 0;
    int rc = kept ? VG_OK : vg_fail_errno(err, VG_IO, path, "cannot keep the %zu bytes cut off", count);

    if (file >= 0)
        close(file);
    return rc;
}

static int set_aside(struct vg_answer_log *log, struct vg_error *err)
{
    size_t count, torn = log->known.torn_bytes;
    char *bytes;
    int rc;

    if (torn == 0)
        return VG_OK;
    rc = vg_file_get(log->path, SIZE_MAX / 2, &log->arena, &bytes, &count, err);
    if (rc == VG_OK)
        rc = keep_tail(log, bytes + log->bytes, count - (size_t)log->bytes, err);
    if (rc == VG_OK && (ftruncate(log->file - 1, (off_t)log->bytes) != 0 || fsync(log->file - 1) != 0))
        rc = vg_fail_errno(err, VG_IO, log->path, "cannot cut off its last %zu bytes", torn);
    if (rc == VG_OK)
        vg_warn(
            err, log->path,
            "ended in %zu bytes of an answer that was never confirmed; they are in answers.jsonl.torn now",
            torn);
    return rc;
}

int vg_answer_log_open(struct vg_answer_log *log, const char *folder, const char *release_id,
                       struct vg_error *err)
{
    int rc = vg_folder_make(folder, err);

    if (rc == VG_OK)
        rc = vg_folder_sync(vg_path_folder(&log->arena, folder), err);
    if (rc == VG_OK)
        rc = take_lock(log, folder, err);
    if (rc == VG_OK)
        rc = take_key(log, folder, err);
    if (rc == VG_OK)
        rc = open_file(log, folder, err);
    if (rc == VG_OK)
        rc = vg_judgements_read(&log->known, log->path, err);
    if (rc == VG_OK)
        rc = vg_judgements_check_single(&log->known, err);
    for (size_t i = 0; rc == VG_OK && i < log->known.count; i++)
        if (strcmp(log->known.at[i].release_id, release_id) != 0)
            rc = vg_fail(err, VG_SOURCE, log->known.at[i].place,
                         "is about the release %s; this one is %s: give another folder",
                         log->known.at[i].release_id, release_id);
    if (rc != VG_OK)
        return rc;
    log->bytes = log->known.whole_bytes;
    return set_aside(log, err);
}

void vg_answer_log_release(struct vg_answer_log *log)
{
    if (log->file != 0)
        close(log->file - 1);
    if (log->lock != 0)
        close(log->lock - 1);
    vg_judgements_release(&log->known);
    vg_arena_release(&log->arena);
    *log = (struct vg_answer_log){0};
}

/* ---- adding -------------------------------------------------------------------------------------------- */

const struct vg_judgement *vg_answer_log_find(const struct vg_answer_log *log, const char *annotator,
                                              const char *key)
{
    for (size_t i = 0; i < log->known.count; i++)
        if (strcmp(log->known.at[i].key, key) == 0 && strcmp(log->known.at[i].annotator, annotator) == 0)
            return &log->known.at[i];
    return NULL;
}

/* The file as it was before; a second failure leaves the log closed, for nobody knows what is on the disk. */
static int take_back(struct vg_answer_log *log, struct vg_error *err)
{
    int rc = vg_fail_errno(err, VG_IO, log->path, "cannot write an answer");

    log->broken = ftruncate(log->file - 1, (off_t)log->bytes) != 0 || fsync(log->file - 1) != 0;
    return rc;
}

static void remember(struct vg_answer_log *log, const struct vg_judgement *judgement)
{
    struct vg_judgements *known = &log->known;
    struct vg_judgement *kept;

    if (known->count == known->room) {
        known->room = 2 * known->room + 256;
        known->at = vg_memory_grow(known->at, known->room, sizeof *known->at);
    }
    kept = &known->at[known->count++];
    *kept = *judgement;
    kept->annotator = vg_arena_text(&known->arena, judgement->annotator);
    kept->answer = vg_arena_text(&known->arena, judgement->answer);
    kept->category = vg_arena_text(&known->arena, judgement->category);
    kept->key = vg_arena_text(&known->arena, judgement->key);
    kept->release_id = vg_arena_text(&known->arena, judgement->release_id);
    kept->utc = vg_arena_text(&known->arena, judgement->utc);
    kept->place = log->path;
}

int vg_answer_log_add(struct vg_answer_log *log, const struct vg_judgement *judgement, struct vg_error *err)
{
    struct vg_text line = {0};
    int rc = VG_OK;

    vg_check(vg_answer_log_find(log, judgement->annotator, judgement->key) == NULL);
    if (log->broken)
        return vg_fail(err, VG_IO, log->path,
                       "could not be mended after a failed write; start the server again");
    vg_judgement_write(judgement, &line);
    if (!write_all(log->file - 1, line.data, line.length) || fsync(log->file - 1) != 0) {
        rc = take_back(log, err);
    } else {
        log->bytes += line.length;
        remember(log, judgement);
    }
    vg_text_release(&line);
    return rc;
}
