/* SPDX-License-Identifier: MIT */
/* provenance.intoto.jsonl: who made the release of what, as an in-toto statement with SLSA's provenance
 * predicate (https://in-toto.io/Statement/v1, https://slsa.dev/provenance/v1).  It is a companion of the
 * release, not a part: it names the very program that ran, and the release's bytes do not depend on that.  No
 * clock. */
#include "inside.h"

#include <jansson.h>
#include <string.h>

const char vg_provenance_name[] = "provenance.intoto.jsonl";

enum { STATEMENT_BYTES_MAX = 256 << 20 };

static void write_digest(struct vg_json *json, const char *kind, const char *hex)
{
    vg_json_open(json, "digest", '{');
    vg_json_string(json, kind, hex);
    vg_json_close(json, '}');
}

/* ---- what it was made of
 * ------------------------------------------------------------------------------------ */

static void write_parameters(struct vg_json *json, const struct vg_about *about)
{
    vg_json_open(json, "externalParameters", '{');
    vg_json_open(json, "options", '[');
    for (size_t i = 0; i < about->option_count; i++)
        vg_json_string(json, NULL, about->options[i]);
    vg_json_close(json, ']');
    vg_json_open(json, "spec", '{');
    write_digest(json, "xxh128", about->spec_xxh128);
    vg_json_string(json, "name",
                   "spec.yaml"); /* among the subjects: resolved, so that nothing else decides */
    vg_json_close(json, '}');
    vg_json_close(json, '}');
}

static void write_source(struct vg_json *json, const struct vg_table *table, size_t row)
{
    const char *file = vg_table_field(table, row, vg_table_column(table, "file_xxh128"));
    const char *audio = vg_table_field(table, row, vg_table_column(table, "audio_xxh128"));

    vg_json_open(json, NULL, '{');
    vg_json_open(json, "annotations", '{');
    vg_json_string(json, "audio_xxh128", audio);
    vg_json_string(json, "corpus", vg_table_field(table, row, vg_table_column(table, "corpus")));
    vg_json_string(json, "decoder", vg_table_field(table, row, vg_table_column(table, "decoder")));
    vg_json_string(json, "licence", vg_table_field(table, row, vg_table_column(table, "licence")));
    vg_json_close(json, '}');
    write_digest(json, "xxh128", file[0] != '\0' ? file : audio); /* a synthetic source has no file */
    vg_json_string(json, "name", vg_table_field(table, row, vg_table_column(table, "id")));
    vg_json_close(json, '}');
}

static void write_definition(struct vg_json *json, const struct vg_about *about,
                             const struct vg_table *sources)
{
    vg_json_open(json, "buildDefinition", '{');
    vg_json_string(json, "buildType", "urn:vocalgrad:build:1");
    write_parameters(json, about);
    vg_json_open(json, "resolvedDependencies", '[');
    for (size_t i = 0; i < sources->row_count; i++)
        if (vg_table_field(sources, i, vg_table_column(sources, "skipped"))[0] == '\0')
            write_source(json, sources, i);
    vg_json_close(json, ']');
    vg_json_close(json, '}');
}

/* ---- who made it, and what came out
 * --------------------------------------------------------------------------- */

static void write_dependency(struct vg_json *json, const char *name, const char *sha256)
{
    vg_json_open(json, NULL, '{');
    if (sha256 != NULL)
        write_digest(json, "sha256", sha256);
    vg_json_string(json, "name", name);
    vg_json_close(json, '}');
}

static void write_builder(struct vg_json *json, const struct vg_about *about, const char *executable_sha256)
{
    vg_json_open(json, "runDetails", '{');
    vg_json_open(json, "builder", '{');
    vg_json_open(json, "builderDependencies", '[');
    if (executable_sha256 != NULL)
        write_dependency(json, "executable", executable_sha256);
    for (size_t i = 0; i < about->library_count; i++)
        write_dependency(json, about->libraries[i], NULL); /* "libFLAC 1.4.2" */
    vg_json_close(json, ']');
    vg_json_string(json, "id", "urn:vocalgrad:compiler");
    vg_json_open(json, "version", '{');
    vg_json_string(json, about->tool, about->tool_version);
    vg_json_close(json, '}');
    vg_json_close(json, '}');
    vg_json_open(json, "metadata", '{');
    vg_json_string(json, "invocationId", about->release_id);
    vg_json_close(json, '}');
    vg_json_close(json, '}');
}

static void write_subjects(struct vg_json *json, const struct vg_sum *sums, size_t count,
                           const char *list_sha256)
{
    vg_json_open(json, "subject", '[');
    vg_json_open(json, NULL, '{');
    write_digest(json, "sha256", list_sha256);
    vg_json_string(json, "name", vg_sha256sums_name);
    vg_json_close(json, '}');
    for (size_t i = 0; i < count; i++) {
        vg_json_open(json, NULL, '{');
        write_digest(json, "sha256", sums[i].sha256);
        vg_json_string(json, "name", sums[i].name);
        vg_json_close(json, '}');
    }
    vg_json_close(json, ']');
}

int vg_provenance_write(const char *folder, unsigned jobs, const char *executable_sha256,
                        struct vg_error *err)
{
    struct vg_arena arena = {0};
    struct vg_text text = {0};
    struct vg_about about;
    struct vg_table sources = {0};
    struct vg_sum *sums = NULL;
    struct vg_json json;
    char list_sha256[VG_DIGEST_HEX];
    size_t count = 0;
    int rc = vg_about_read(&about, folder, &arena, err);

    if (rc == VG_OK)
        rc = vg_table_read(&sources, vg_path_join(&arena, folder, "sources.csv"), &arena, VG_NO, err);
    if (rc == VG_OK)
        rc = vg_sums_of_folder(folder, jobs, &sums, &count, &arena, err);
    if (rc == VG_OK)
        rc = vg_digest_of_file(VG_SHA256, vg_path_join(&arena, folder, vg_sha256sums_name), list_sha256, NULL,
                               err);
    if (rc == VG_OK) {
        vg_json_init(&json, &text);
        vg_json_open(&json, NULL, '{');
        vg_json_string(&json, "_type", "https://in-toto.io/Statement/v1");
        vg_json_open(&json, "predicate", '{');
        write_definition(&json, &about, &sources);
        write_builder(&json, &about, executable_sha256);
        vg_json_close(&json, '}');
        vg_json_string(&json, "predicateType", "https://slsa.dev/provenance/v1");
        write_subjects(&json, sums, count, list_sha256);
        vg_json_close(&json, '}');
        vg_text_add_char(&text, '\n');
        rc = vg_file_put(vg_path_join(&arena, folder, vg_provenance_name), text.data, text.length, err);
    }
    vg_text_release(&text);
    vg_arena_release(&arena);
    return rc;
}

/* ---- checking
 * ------------------------------------------------------------------------------------------------ */

static int check_subject(const char *folder, const json_t *subject, const char *path, struct vg_arena *arena,
                         struct vg_error *err)
{
    const char *name = json_string_value(json_object_get(subject, "name"));
    const char *stated = json_string_value(json_object_get(json_object_get(subject, "digest"), "sha256"));
    char hex[VG_DIGEST_HEX];
    int rc;

    if (name == NULL || stated == NULL || name[0] == '.' || name[0] == '\0' || strchr(name, '/') != NULL)
        return vg_fail(err, VG_NO, path, "has a subject that is no file of this release with a sha256");
    if (!vg_file_exists(vg_path_join(arena, folder, name)))
        return vg_fail(err, VG_NO, path, "states a digest for %s, which is not there", name);
    rc = vg_digest_of_file(VG_SHA256, vg_path_join(arena, folder, name), hex, NULL, err);
    if (rc == VG_OK && strcmp(hex, stated) != 0)
        rc = vg_fail(err, VG_NO, path, "states another digest for %s than the file has (%s)", name, hex);
    return rc;
}

/* Small files only: what the shards have is in SHA256SUMS, a subject itself. */
static bool is_worth_it(const json_t *subject)
{
    const char *name = json_string_value(json_object_get(subject, "name"));

    return name == NULL || strstr(name, ".tar") == NULL;
}

int vg_provenance_check(const char *folder, struct vg_error *err)
{
    struct vg_arena arena = {0};
    const char *path = vg_path_join(&arena, folder, vg_provenance_name);
    json_error_t fault;
    json_t *root = NULL, *subjects;
    char *bytes;
    size_t count;
    int rc = VG_OK;

    if (vg_file_exists(path)) {
        rc = vg_file_get(path, STATEMENT_BYTES_MAX, &arena, &bytes, &count, err);
        if (rc == VG_OK)
            root = json_loadb(bytes, count, JSON_REJECT_DUPLICATES, &fault);
        subjects = json_object_get(root, "subject");
        if (rc == VG_OK && json_array_size(subjects) == 0)
            rc = vg_fail(err, VG_NO, path, "is no in-toto statement about files");
        for (size_t i = 0; rc != VG_IO && i < json_array_size(subjects); i++)
            if (is_worth_it(json_array_get(subjects, i))) {
                int one = check_subject(folder, json_array_get(subjects, i), path, &arena, err);

                rc = one != VG_OK ? one : rc;
            }
        json_decref(root);
    }
    vg_arena_release(&arena);
    return rc;
}
