/* SPDX-License-Identifier: MIT */
/* croissant.json against the published rules of Croissant 1.1: required keys and types, one digest per file,
 * references that lead somewhere, fields that name a column that is there, RAI and PROV, digests true. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
    struct fake fake;
    json_t *root;
};

static int set_up(void **state)
{
    struct fixture *f = malloc(sizeof *f);
    size_t count;
    char *bytes;

    fake_init(&f->fake, NULL);
    if (fake_build(&f->fake, "a", false) != VG_OK) {
        fake_print(&f->fake);
        return -1;
    }
    bytes = fake_read(&f->fake, fake_path(&f->fake, "a", "croissant.json"), &count);
    f->root = json_loadb(bytes, count, JSON_REJECT_DUPLICATES, NULL);
    *state = f;
    return f->root != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    json_decref(f->root);
    fake_release(&f->fake);
    free(f);
    return 0;
}

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    assert_non_null(value);
    assert_true(value[0] != '\0');
    return value;
}

static void required_keys(void **state)
{
    struct fixture *f = *state;
    const json_t *conforms = json_object_get(f->root, "conformsTo");
    const json_t *context = json_object_get(f->root, "@context");

    assert_string_equal(text(f->root, "@type"), "sc:Dataset");
    assert_string_equal(text(f->root, "name"), "fake-set");
    assert_string_equal(text(f->root, "version"), "0.1.0");
    assert_string_equal(text(f->root, "datePublished"), "2026-02-03");
    assert_string_equal(text(f->root, "license"), "https://spdx.org/licenses/CC0-1.0");
    text(f->root, "description");
    text(f->root, "url");
    assert_string_equal(json_string_value(json_array_get(conforms, 0)), "http://mlcommons.org/croissant/1.1");
    assert_int_equal(json_array_size(json_object_get(f->root, "creator")), 2);
    assert_string_equal(text(context, "conformsTo"), "dct:conformsTo");
    assert_string_equal(text(context, "recordSet"), "cr:recordSet");
    assert_string_equal(text(context, "rai"), "http://mlcommons.org/croissant/RAI/");
    assert_string_equal(text(context, "prov"), "http://www.w3.org/ns/prov#");
}

static void responsible_ai(void **state)
{
    static const char *const texts[] = {"rai:dataLimitations", "rai:dataBiases",
                                        "rai:personalSensitiveInformation", "rai:dataUseCases",
                                        "rai:dataSocialImpact"};
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        text(f->root, texts[i]);
    assert_true(json_is_true(json_object_get(f->root, "rai:hasSyntheticData")));
    assert_non_null(strstr(text(f->root, "rai:dataBiases"), "gender: female 1, male 1, not stated 1."));
    assert_non_null(strstr(text(f->root, "rai:dataLimitations"), "Of 38 labels 4 are not confirmed"));
    assert_int_equal(json_array_size(json_object_get(f->root, "prov:wasDerivedFrom")), 3);
    text(json_object_get(f->root, "prov:wasGeneratedBy"), "prov:label");
}

/* Exactly one digest per file, and the true one; every file of the release but the lists and itself. */
static void files(void **state)
{
    struct fixture *f = *state;
    const json_t *list = json_object_get(f->root, "distribution");
    size_t objects = 0, sets = 0, count;
    char **names;

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *file = json_array_get(list, i);

        text(file, "@id");
        text(file, "encodingFormat");
        if (strcmp(text(file, "@type"), "cr:FileSet") == 0) {
            text(file, "includes");
            assert_true(json_array_size(json_object_get(file, "containedIn")) > 4);
            sets++;
        } else {
            char hex[VG_DIGEST_HEX], size[32];
            uint64_t bytes;

            assert_string_equal(text(file, "@type"), "cr:FileObject");
            assert_null(json_object_get(file, "md5"));
            assert_int_equal(vg_digest_of_file(VG_SHA256, fake_path(&f->fake, "a", text(file, "contentUrl")),
                                               hex, &bytes, &f->fake.err),
                             VG_OK);
            assert_string_equal(text(file, "sha256"), hex);
            snprintf(size, sizeof size, "%llu B", (unsigned long long)bytes);
            assert_string_equal(text(file, "contentSize"), size);
            objects++;
        }
    }
    assert_int_equal(sets, 1);
    assert_int_equal(
        vg_folder_list(fake_path(&f->fake, "a", ""), &f->fake.arena, &names, &count, &f->fake.err), VG_OK);
    assert_int_equal(objects, count - 3);
}

/* ---- identifiers --------------------------------------------------------------------------------------- */

struct ids {
    const char *at[400];
    size_t count;
};

static bool is_reference(const json_t *object)
{
    return json_object_size(object) == 1 && json_object_get(object, "@id") != NULL;
}

static bool knows(const struct ids *ids, const char *id)
{
    for (size_t i = 0; i < ids->count; i++)
        if (strcmp(ids->at[i], id) == 0)
            return true;
    return false;
}

/* First pass: what is defined, once each.  Second: what is referred to. */
static void walk(json_t *value, struct ids *ids, bool defining, size_t *references)
{
    const char *id;

    if (json_is_array(value))
        for (size_t i = 0; i < json_array_size(value); i++)
            walk(json_array_get(value, i), ids, defining, references);
    if (!json_is_object(value))
        return;
    id = json_string_value(json_object_get(value, "@id"));
    if (id != NULL && is_reference(value) && !defining) {
        assert_true(knows(ids, id));
        ++*references;
    }
    if (id != NULL && !is_reference(value) && defining) {
        assert_false(knows(ids, id));
        assert_true(ids->count < sizeof ids->at / sizeof *ids->at);
        ids->at[ids->count++] = id;
    }
    for (void *at = json_object_iter(value); at != NULL; at = json_object_iter_next(value, at))
        if (strcmp(json_object_iter_key(at), "@context") != 0)
            walk(json_object_iter_value(at), ids, defining, references);
}

static void references_lead_somewhere(void **state)
{
    struct fixture *f = *state;
    struct ids ids = {.count = 0};
    size_t references = 0;

    walk(f->root, &ids, true, &references);
    walk(f->root, &ids, false, &references);
    assert_true(ids.count > 60);
    assert_true(references > 60);
}

/* ---- record sets --------------------------------------------------------------------------------------- */

static json_t *record_set(struct fixture *f, const char *id)
{
    json_t *sets = json_object_get(f->root, "recordSet");

    for (size_t i = 0; i < json_array_size(sets); i++)
        if (strcmp(text(json_array_get(sets, i), "@id"), id) == 0)
            return json_array_get(sets, i);
    fail();
    return NULL;
}

static const char *column_of(const json_t *field, const char *file)
{
    const json_t *source = json_object_get(field, "source");

    assert_string_equal(text(field, "@type"), "cr:Field");
    assert_non_null(json_object_get(field, "dataType"));
    text(field, "description");
    assert_string_equal(text(json_object_get(source, "fileObject"), "@id"), file);
    return text(json_object_get(source, "extract"), "column");
}

static bool fits(const json_t *value, const json_t *type)
{
    const char *name = json_string_value(type);

    if (json_is_null(value) || name == NULL) /* a list of types: the label */
        return true;
    if (strcmp(name, "sc:Integer") == 0)
        return json_is_integer(value);
    if (strcmp(name, "sc:Float") == 0)
        return json_is_number(value);
    if (strcmp(name, "sc:Boolean") == 0)
        return json_is_boolean(value);
    return json_is_string(value);
}

/* Every field is a key of every row and of its type; every plain key of a row is a field. */
static void items_are_the_manifest(void **state)
{
    struct fixture *f = *state;
    const json_t *fields = json_object_get(record_set(f, "items"), "field");
    size_t count;
    char *line = fake_read(&f->fake, fake_path(&f->fake, "a", "manifest.jsonl"), &count);

    for (size_t row = 0; row < 6; row++) {
        char *end = strchr(line, '\n');
        json_t *item = json_loadb(line, (size_t)(end - line), 0, NULL);

        assert_non_null(item);
        for (size_t i = 0; i < json_array_size(fields); i++) {
            const json_t *field = json_array_get(fields, i);
            const json_t *value = json_object_get(item, column_of(field, "manifest.jsonl"));

            assert_non_null(value);
            assert_true(fits(value, json_object_get(field, "dataType")));
        }
        assert_int_equal(json_array_size(fields), json_object_size(item) - 2); /* evidence, parameters */
        json_decref(item);
        line = end + 1;
    }
}

static void sources_are_the_table(void **state)
{
    struct fixture *f = *state;
    const json_t *fields = json_object_get(record_set(f, "sources"), "field");
    struct vg_table table;

    assert_int_equal(
        vg_table_read(&table, fake_path(&f->fake, "a", "sources.csv"), &f->fake.arena, VG_NO, &f->fake.err),
        VG_OK);
    assert_int_equal(json_array_size(fields), table.column_count);
    for (size_t i = 0; i < json_array_size(fields); i++)
        assert_true(vg_table_column(&table, column_of(json_array_get(fields, i), "sources.csv")) != SIZE_MAX);
}

static void splits_and_sound(void **state)
{
    struct fixture *f = *state;
    const json_t *splits = json_object_get(record_set(f, "splits"), "data");
    const json_t *audio = json_object_get(record_set(f, "audio"), "field");

    assert_int_equal(json_array_size(splits), 2);
    assert_string_equal(text(json_array_get(splits, 1), "splits/name"), "train");
    assert_string_equal(text(json_array_get(splits, 1), "splits/url"), "cr:TrainingSplit");
    assert_int_equal(json_array_size(audio), 2);
    assert_string_equal(text(json_array_get(audio, 1), "dataType"), "sc:AudioObject");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(required_keys),
        cmocka_unit_test(responsible_ai),
        cmocka_unit_test(files),
        cmocka_unit_test(references_lead_somewhere),
        cmocka_unit_test(items_are_the_manifest),
        cmocka_unit_test(sources_are_the_table),
        cmocka_unit_test(splits_and_sound),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
