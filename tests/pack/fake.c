/* SPDX-License-Identifier: MIT */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

/* ---- a spec ------------------------------------------------------------------------------------------- */

static const struct vg_key_rule gain_keys[] = {
    {.name = "gain_db", .type = VG_KEY_NUMBER, .flags = VG_REQUIRED}, {0}};
static const struct vg_key_rule echo_tier_keys[] = {
    {.name = "wet", .type = VG_KEY_NUMBER, .flags = VG_REQUIRED}, {0}};
static const struct vg_key_rule echo_fixed_keys[] = {
    {.name = "comb_ms", .type = VG_KEY_NUMBERS, .flags = VG_REQUIRED, .max = 1000}, {0}};
static const struct vg_key_rule no_keys[] = {{0}};
static const struct vg_key_rule step_keys[] = {
    {.name = "step_sec", .type = VG_KEY_NUMBER, .flags = VG_REQUIRED}, {0}};
static const struct vg_category volume = {.name = "volume", .tier = gain_keys, .fixed = no_keys};
static const struct vg_category echo = {.name = "echo", .tier = echo_tier_keys, .fixed = echo_fixed_keys};
static const struct vg_category *const categories[] = {&volume, &echo};
static const struct vg_engine_words engine = {
    .name = "fake-1", .categories = categories, .category_count = 2, .keys = step_keys};
static const struct vg_engine_words *const engines[] = {&engine};
static const struct vg_source_words kind = {.name = "fake", .keys = no_keys};
static const struct vg_source_words *const kinds[] = {&kind};

static const char spec_yaml[] =
    "engine: fake-1\n"
    "name: fake-set\n"
    "version: 0.1.0\n"
    "description: 'Made up: \"quotes\" and | bars'\n"
    "license: CC0-1.0\n"
    "seed: '42'\n"
    "prompt: 'Does the {attribute} rise? \"yes\" or \"no\"'\n"
    "labels: {up: increase, down: decrease}\n"
    "tiers: [low, high]\n"
    "curves: [linear, jump]\n"
    "directions: [up, down]\n"
    "jump_at: 0.5\n"
    "trajectory: {step_sec: 0.05}\n"
    "categories:\n"
    "  volume: {attribute: volume, tiers: {low: {gain_db: 0.1}, high: {gain_db: 12}}}\n"
    "  echo: {attribute: echo, comb_ms: [1.5, 2], tiers: {low: {wet: 0.25}, high: {wet: 1}}}\n"
    "splits:\n"
    "  test: {categories: [volume, echo], sources: [{kind: fake}]}\n"
    "  train: {categories: [volume], sources: [{kind: fake}]}\n"
    "pack: {shard_bytes: 25000}\n"
    "card:\n"
    "  creators: [A, B]\n"
    "  date_published: '2026-02-03'\n"
    "  changelog: ['0.1.0: first']\n";

static int load_spec(struct fake *fake, const char *set)
{
    struct vg_vocabulary vocabulary = {engines, 1, kinds, 1, no_keys};
    struct vg_spec_text text = {"fake.yaml", spec_yaml, sizeof spec_yaml - 1};
    struct vg_spec_options options = {
        .set = &set, .set_count = set != NULL, .embedded = &text, .embedded_count = 1};

    return vg_spec_load(&fake->spec, "embedded:fake.yaml", &options, &vocabulary, &fake->arena, &fake->err);
}

/* ---- sources and sound --------------------------------------------------------------------------------- */

static const struct vg_source sources[FAKE_SOURCES + 1] = {
    {.id = "s1",
     .clip_id = "007",
     .speaker_id = "null",
     .sentence_id = "1e5",
     .text = "say \"no\", twice\nor so",
     .gender = "female",
     .locale = "en",
     .licence = "CC-BY-4.0",
     .corpus = "VCTK 0.92",
     .place = "t:2",
     .split = 0},
    {.id = "s:2/\xc3\xa9",
     .clip_id = "c",
     .speaker_id = "",
     .sentence_id = "NA",
     .text = "=1+1",
     .gender = "male",
     .locale = "en",
     .licence = "CC0-1.0",
     .corpus = "Common Voice",
     .place = "t:3",
     .split = 0},
    {.id = "s3",
     .clip_id = "c3",
     .speaker_id = "p",
     .sentence_id = "",
     .text = "",
     .gender = "",
     .locale = "",
     .licence = "",
     .corpus = "",
     .place = "t:4",
     .split = 1},
    {.id = "s4",
     .clip_id = "c4",
     .speaker_id = "p",
     .sentence_id = "",
     .text = "",
     .gender = "",
     .locale = "",
     .licence = "",
     .corpus = "",
     .place = "t:5",
     .split = 1},
};

/* Noise of rising level, from a generator of its own; every item another one. */
static int16_t *make_sound(struct fake *fake, size_t index, size_t frames)
{
    int16_t *samples = vg_arena_take(&fake->arena, frames, sizeof *samples);
    uint32_t state = (uint32_t)index * 2654435761u + 1;

    for (size_t i = 0; i < frames; i++) {
        state = state * 1664525u + 1013904223u;
        samples[i] = (int16_t)((int)(state >> 20) % 2048 - 1024 + (int)(i % 512));
    }
    return samples;
}

static unsigned peak_of(const int16_t *samples, size_t frames)
{
    unsigned peak = 0;

    for (size_t i = 0; i < frames; i++)
        peak = (unsigned)abs(samples[i]) > peak ? (unsigned)abs(samples[i]) : peak;
    return peak;
}

static void make_evidence(struct vg_record *record, size_t index)
{
    int claimed = record->direction[0] == 'u' ? 1 : -1;

    record->measured = index % 5 != 4;
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        record->paired[q] = (struct vg_evidence){.net = claimed * (0.1 + (double)q),
                                                 .net_jnd = claimed * 0.5,
                                                 .rank = claimed / 3.0,
                                                 .segments = 3,
                                                 .sign = claimed,
                                                 .trajectory = {0, 1e-7, 1.5}};
        record->blind[q] = (struct vg_evidence){.segments = 0, .sign = 2};
    }
    record->verdict = index % 7 == 3 ? VG_NO_CHANGE : VG_CONFIRMED;
    record->below_jnd = index % 2 == 0;
}

static void make_records(struct fake *fake)
{
    fake->records = vg_arena_take_zero(&fake->arena, fake->plan.item_count, sizeof *fake->records);
    fake->flacs = vg_arena_take_zero(&fake->arena, fake->plan.item_count, sizeof *fake->flacs);
    for (size_t i = 0; i < fake->plan.item_count; i++) {
        struct vg_record *record = &fake->records[i];
        size_t frames = 1500 + 37 * i;
        int16_t *samples = make_sound(fake, i, frames);
        struct vg_item item;

        vg_plan_item(&fake->plan, i, &item);
        vg_record_of_item(record, &item, &fake->rows[item.source_index].facts, &fake->arena);
        record->onset = 100;
        record->offset = frames - 100;
        record->clipped = i % 3;
        record->peak = peak_of(samples, frames);
        make_evidence(record, i);
        if (vg_record_encode(record, samples, frames, 16000, false, &fake->flacs[i], &fake->err) != VG_OK)
            abort();
    }
    fake->records[2].excluded = "no_change"; /* and its opposite */
    fake->records[3].excluded = "opposite excluded";
}

static void make_sources(struct fake *fake)
{
    fake->sources = (struct vg_source_list){vg_arena_take(&fake->arena, FAKE_SOURCES, sizeof *sources),
                                            FAKE_SOURCES, FAKE_SOURCES};
    memcpy(fake->sources.at, sources, FAKE_SOURCES * sizeof *sources);
    for (size_t i = 0; i <= FAKE_SOURCES; i++) {
        fake->rows[i].source = sources[i];
        fake->rows[i].split = fake->spec.splits[sources[i].split].name;
        if (i == FAKE_SOURCES) {
            fake->rows[i].skipped = "is empty";
            continue;
        }
        fake->rows[i].facts = (struct vg_source_facts){.rate_hz = 16000,
                                                       .channels = 1,
                                                       .frames = 16000 + i,
                                                       .onset_sec = 0.1,
                                                       .offset_sec = 0.9,
                                                       .detected = i == 1,
                                                       .span_found = true,
                                                       .decoder = "none 1.0",
                                                       .note = ""};
        vg_digest_of(VG_XXH128, sources[i].id, strlen(sources[i].id), fake->rows[i].facts.audio_xxh128);
    }
}

/* ---- the fixture --------------------------------------------------------------------------------------- */

void fake_init(struct fake *fake, const char *set)
{
    char template[] = "/tmp/vg-pack-XXXXXX";

    *fake = (struct fake){0};
    if (mkdtemp(template) == NULL)
        abort();
    fake->folder = vg_arena_text(&fake->arena, template);
    if (load_spec(fake, set) != VG_OK) {
        fake_print(fake);
        abort();
    }
    vg_spec_write(&fake->spec, &fake->spec_text);
    make_sources(fake);
    if (vg_plan_make(&fake->plan, &fake->spec, &fake->sources, &fake->arena, &fake->err) != VG_OK)
        abort();
    make_records(fake);
}

void fake_release(struct fake *fake)
{
    for (size_t i = 0; i < fake->plan.item_count; i++)
        vg_text_release(&fake->flacs[i]);
    vg_folder_remove(fake->folder, &fake->err);
    vg_text_release(&fake->spec_text);
    vg_error_release(&fake->err);
    vg_arena_release(&fake->arena);
}

static int add_group(struct fake *fake, struct vg_release *release, size_t first)
{
    size_t count = fake->plan.items_per_source;
    struct vg_record **records = vg_arena_take(&fake->arena, count, sizeof *records);
    size_t *order = vg_arena_take(&fake->arena, count, sizeof *order);
    int rc = VG_OK;

    for (size_t i = 0; i < count; i++)
        records[i] = &fake->records[first + i];
    vg_records_shuffle(records, count, order);
    for (size_t i = 0; rc == VG_OK && i < count; i++)
        rc = vg_release_add(release, records[order[i]], &fake->flacs[first + order[i]], &fake->err);
    return rc;
}

int fake_build(struct fake *fake, const char *under, bool replace)
{
    static const char *const libraries[] = {"none 1.0"};
    struct vg_release_options options = {.spec = &fake->spec,
                                         .spec_text = fake->spec_text.data,
                                         .libraries = libraries,
                                         .library_count = 1,
                                         .replace = replace};
    struct vg_release *release = NULL;
    int rc =
        vg_release_begin(&release, vg_path_join(&fake->arena, fake->folder, under), &options, &fake->err);

    for (size_t i = 0; rc == VG_OK && i < fake->plan.item_count; i += fake->plan.items_per_source)
        rc = add_group(fake, release, i);
    if (rc == VG_OK)
        rc = vg_release_finish(release, fake->rows, FAKE_SOURCES + 1, &fake->err);
    vg_release_release(release);
    return rc;
}

const char *fake_path(struct fake *fake, const char *under, const char *name)
{
    return vg_arena_format(&fake->arena, "%s/%s/%s-%s/%s", fake->folder, under, fake->spec.name,
                           fake->spec.version, name);
}

char *fake_read(struct fake *fake, const char *path, size_t *count)
{
    char *bytes = NULL;

    if (vg_file_get(path, 1 << 26, &fake->arena, &bytes, count, &fake->err) != VG_OK)
        abort();
    return bytes;
}

bool fake_told(const struct fake *fake, const char *place, const char *words)
{
    for (size_t i = 0; i < fake->err.count; i++)
        if (strstr(fake->err.issues[i].place, place) != NULL &&
            strstr(fake->err.issues[i].sentence, words) != NULL)
            return true;
    return false;
}

void fake_print(const struct fake *fake)
{
    for (size_t i = 0; i < fake->err.count; i++)
        printf("%s: %s\n", fake->err.issues[i].place, fake->err.issues[i].sentence);
}
