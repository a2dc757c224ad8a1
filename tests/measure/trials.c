/* SPDX-License-Identifier: MIT */
/* Speech from the reference folder, from Debian's alsa-utils (48 kHz, clips joined in pairs) and
 * pocketsphinx-testdata (16 kHz), and from VG_CORPORA, a folder of ../shared/corpora, where it is set. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "speech.h"
#include "trials.h"

#define ALSA "/usr/share/sounds/alsa"
#define SPHINX "/usr/share/pocketsphinx/test/data"

enum {
    EVERY_CATEGORY = (1 << VG_QUANTITIES) - 1,
    PAGE_CATEGORIES = 1 << VG_Q_SPEED | 1 << VG_Q_NOISE | 1 << VG_Q_ROUGHNESS | 1 << VG_Q_ECHO,
    BEEP_CATEGORIES = 1 << VG_Q_VOLUME | 1 << VG_Q_PITCH | 1 << VG_Q_NOISE | 1 << VG_Q_VIBRATION
};

static struct trial *add_row(struct trials *trials, size_t source, const struct vg_loaded *loaded)
{
    struct trial *row;

    if (trials->count == trials->room) {
        trials->room = trials->room ? 2 * trials->room : 1024;
        trials->rows = vg_memory_grow(trials->rows, trials->room, sizeof *trials->rows);
    }
    row = &trials->rows[trials->count++];
    *row = (struct trial){.source = source,
                          .span_sec = (double)(loaded->span.off - loaded->span.on) / loaded->clip.rate_hz,
                          .rate_hz = loaded->clip.rate_hz};
    return row;
}

struct bench {
    struct trials *trials;
    struct scene *scene;
    const struct vg_loaded *loaded;
    const struct vg_reference *reference;
    struct vg_heard heard; /* the source, for page.h */
    struct vg_source source;
    const char *published; /* folder of published outputs, or NULL */
    size_t index;
    struct vg_arena tmp;
};

static void measure(struct bench *bench, struct trial *row, const int16_t *samples, size_t frames)
{
    struct vg_sound sound = {.samples = samples, .frames = frames, .rate_hz = bench->loaded->clip.rate_hz};

    vg_measure_both(bench->reference, &sound, &bench->trials->margins, (1u << VG_QUANTITIES) - 1, row->paired,
                    row->blind, &bench->tmp);
    row->page_noise = NAN;
    if (row->treatment == TRIAL_ITEM && (PAGE_CATEGORIES >> row->category & 1) != 0)
        row->page_noise = page_noise(&bench->heard, &sound, &bench->tmp);
}

static void render_and_measure(struct bench *bench, const struct vg_item *item, struct trial *row)
{
    struct vg_rendered out;

    vg_arena_rewind(&bench->scene->output, (struct vg_arena_mark){0});
    vg_render(&bench->scene->renderer, item, bench->loaded, &out, &bench->scene->output);
    row->tier = item->tier;
    row->curve = item->curve;
    measure(bench, row, out.samples, out.frames);
}

/* What the published pipeline wrote counts where it is there. */
static void measure_item(struct bench *bench, const struct vg_item *item, struct trial *row)
{
    struct vg_text id = {0};
    const char *path;
    struct vg_loaded published;

    vg_item_id(item, &id);
    path = vg_arena_format(&bench->trials->arena, "%s/%s/%s.flac", bench->published ? bench->published : "",
                           vg_measures[row->category].name, id.data);
    vg_text_release(&id);
    if (bench->published == NULL || !vg_file_exists(path)) {
        render_and_measure(bench, item, row);
        return;
    }
    published = speech_load(bench->scene, &bench->tmp, path);
    row->tier = item->tier;
    row->curve = item->curve;
    measure(bench, row, published.clip.samples, published.clip.frames);
    bench->trials->published++;
}

/* Does the category's hold stay 1 throughout, whatever the direction?  Known of the recipe: a step of at
 * least 1.5 samples never comes about at 16 kHz with the low and mid tiers. */
static bool is_no_op(const struct bench *bench, size_t category, size_t tier)
{
    return category == VG_Q_DISTORTION && bench->loaded->clip.rate_hz == 16000 && tier < 2;
}

static void try_items(struct bench *bench, size_t category)
{
    for (size_t number = 0; number < SCENE_ITEMS; number++) {
        struct trial *row = add_row(bench->trials, bench->index, bench->loaded);
        struct vg_item item = scene_item(bench->scene, vg_measures[category].name, &bench->source, number);

        row->category = category;
        row->claimed = item.direction == VG_UP ? 1 : -1;
        row->no_op = is_no_op(bench, category, item.tier);
        measure_item(bench, &item, row);
    }
}

/* A jump that lies before the span or after it is no jump: the end value throughout, or the start value. */
static void try_constants(struct bench *bench, size_t category)
{
    struct vg_spec spec = bench->scene->spec;

    for (size_t i = 0; i < 6; i++) {
        struct trial *row = add_row(bench->trials, bench->index, bench->loaded);
        struct vg_item item = scene_item(bench->scene, vg_measures[category].name, &bench->source, i / 2 * 8);

        spec.jump_at = i % 2 ? -1 : 2;
        item.spec = &spec;
        item.curve = VG_JUMP;
        row->treatment = TRIAL_CONSTANT;
        row->category = category;
        render_and_measure(bench, &item, row);
    }
}

static void try_source(struct trials *trials, struct scene *scene, const struct vg_source *identity,
                       const struct vg_loaded *loaded, unsigned categories, const char *published)
{
    struct bench bench = {.trials = trials,
                          .scene = scene,
                          .loaded = loaded,
                          .source = *identity,
                          .published = published,
                          .index = trials->source_count};
    struct vg_sound sound = {loaded->clip.samples, loaded->clip.frames, loaded->clip.rate_hz, loaded->span.on,
                             loaded->span.off};

    trials->sources[trials->source_count++] = identity->id;
    bench.reference = vg_reference_make(&sound, &trials->arena, &bench.tmp);
    page_source(&bench.heard, &sound, &trials->arena, &bench.tmp);
    add_row(trials, bench.index, loaded)->treatment = TRIAL_UNMODIFIED;
    measure(&bench, &trials->rows[trials->count - 1], sound.samples, sound.frames);
    for (size_t category = 0; category < VG_QUANTITIES; category++) {
        if ((categories >> category & 1) == 0)
            continue;
        try_items(&bench, category);
        try_constants(&bench, category);
    }
    vg_renderer_clear(&scene->renderer);
    vg_arena_release(&bench.tmp);
}

static void try_file(struct trials *trials, struct scene *scene, const char *folder, const char *file)
{
    struct vg_loaded loaded = speech_load(scene, &trials->arena, vg_path_join(&trials->arena, folder, file));

    speech_detect(&loaded, &trials->arena);
    try_source(trials, scene, &(struct vg_source){.id = file, .clip_id = file}, &loaded, EVERY_CATEGORY,
               NULL);
}

/* The reference's sources have their onsets and offsets in a table. */
static void try_reference(struct trials *trials, struct scene *scene, const char *folder, const char *name,
                          unsigned categories)
{
    struct vg_table table = {0};
    const char *path = vg_path_join(&trials->arena, folder, name);

    scene_check(scene, vg_table_read(&table, path, &trials->arena, VG_SOURCE, &scene->err));
    for (size_t row = 0; row < table.row_count; row++) {
        const char *file = vg_table_field(&table, row, vg_table_column(&table, "audio_path"));
        struct vg_source identity = {.id = vg_table_field(&table, row, 0),
                                     .clip_id =
                                         vg_table_field(&table, row, vg_table_column(&table, "clip_id"))};
        struct vg_loaded loaded =
            speech_load(scene, &trials->arena, vg_path_join(&trials->arena, folder, file));
        double onset = 0, offset = 0;

        assert_true(
            vg_number_parse(vg_table_field(&table, row, vg_table_column(&table, "onset_sec")), &onset));
        assert_true(
            vg_number_parse(vg_table_field(&table, row, vg_table_column(&table, "offset_sec")), &offset));
        loaded.span = vg_span_of(onset, offset, loaded.clip.rate_hz, loaded.clip.frames);
        try_source(trials, scene, &identity, &loaded, categories,
                   vg_path_join(&trials->arena, folder, "audio"));
    }
}

static void try_pair(struct trials *trials, struct scene *scene, const char *first, const char *second)
{
    struct vg_loaded a = speech_load(scene, &trials->arena, vg_path_join(&trials->arena, ALSA, first));
    struct vg_loaded b = speech_load(scene, &trials->arena, vg_path_join(&trials->arena, ALSA, second)),
                     both = a;

    both.clip.frames = a.clip.frames + b.clip.frames;
    both.clip.samples = vg_arena_take(&trials->arena, both.clip.frames, sizeof *both.clip.samples);
    memcpy(both.clip.samples, a.clip.samples, a.clip.frames * sizeof *both.clip.samples);
    memcpy(both.clip.samples + a.clip.frames, b.clip.samples, b.clip.frames * sizeof *both.clip.samples);
    speech_detect(&both, &trials->arena);
    try_source(trials, scene, &(struct vg_source){.id = first, .clip_id = second}, &both, EVERY_CATEGORY,
               NULL);
}

static void try_folder(struct trials *trials, struct scene *scene, const char *folder, size_t stride)
{
    char **names;
    size_t count;

    scene_check(scene, vg_folder_list(folder, &trials->arena, &names, &count, &scene->err));
    for (size_t i = 0; i < count; i += stride) {
        size_t length = strlen(names[i]);

        if (length > 4 && strcmp(names[i] + length - 4, ".wav") == 0)
            try_file(trials, scene, folder, names[i]);
    }
}

static void try_corpora(struct trials *trials, struct scene *scene, const char *folder)
{
    static const char *const speakers[] = {"p301", "p302", "p303", "p304"};

    for (size_t i = 0; i < 4; i++) {
        const char *speaker = vg_arena_format(&trials->arena, "%s/vctk/wav48/%s", folder, speakers[i]);

        try_folder(trials, scene, speaker, 3);
    }
}

void trials_run(struct trials *trials, struct scene *scene)
{
    const char *shared = getenv("VG_SHARED"), *corpora = getenv("VG_CORPORA");

    trials->sources = vg_arena_take(&trials->arena, 256, sizeof *trials->sources);
    vg_margins_read(&trials->margins, vg_node_find(scene->spec.root, "measure"));
    if (shared != NULL && vg_folder_exists(shared)) {
        const char *folder = vg_path_join(&trials->arena, shared, "reference");

        try_reference(trials, scene, folder, "sources_speech.csv", EVERY_CATEGORY);
        try_reference(trials, scene, folder, "sources_beep.csv", BEEP_CATEGORIES);
    }
    try_pair(trials, scene, "Front_Left.wav", "Rear_Right.wav");
    try_pair(trials, scene, "Side_Right.wav", "Front_Center.wav");
    try_pair(trials, scene, "Rear_Center.wav", "Side_Left.wav");
    try_folder(trials, scene, SPHINX "/librivox", 1);
    try_file(trials, scene, SPHINX "/cards", "005.wav");
    if (corpora != NULL)
        try_corpora(trials, scene, corpora);
}

void trials_release(struct trials *trials)
{
    free(trials->rows);
    vg_arena_release(&trials->arena);
    *trials = (struct trials){0};
}

bool trials_counts(const struct trial *row)
{
    return row->treatment == TRIAL_ITEM && !row->no_op && row->span_sec >= 1.2;
}
