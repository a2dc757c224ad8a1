/* SPDX-License-Identifier: MIT */
/* measure: what any recording carries, alone (blind) or beside its source (paired); one JSON line for each
 * file and attribute, the trajectory over time included. */
#include "command.h"
#include "measure.h"

#include <string.h>

enum { DURATION_MAX_SEC = 3600 };

struct hearing {
    struct vg_margins margins;
    unsigned wanted; /* bit per quantity */
    struct vg_sound source;
    const struct vg_reference *reference; /* NULL: blind only */
    struct vg_arena tmp;
    struct vg_text out;
};

/* --attribute: a category's name, with blanks or underscores. */
static int read_wanted(struct vg_call *call, unsigned *wanted)
{
    const char *asked = vg_call_text(call, "attribute", NULL), *names[VG_QUANTITIES], *near;
    char *name = vg_arena_text(&call->arena, asked != NULL ? asked : "");

    *wanted = asked == NULL ? (1u << VG_QUANTITIES) - 1 : 0;
    for (char *c = name; *c != '\0'; c++)
        *c = *c == ' ' ? '_' : *c;
    for (unsigned q = 0; q < VG_QUANTITIES; q++) {
        names[q] = vg_measures[q].name;
        *wanted |= strcmp(names[q], name) == 0 ? 1u << q : 0;
    }
    if (*wanted != 0)
        return VG_OK;
    near = vg_nearest(name, names, VG_QUANTITIES);
    return vg_fail(&call->err, VG_USAGE, "--attribute", "there is no measure of %s; did you mean %s?", asked,
                   near != NULL ? near : names[0]);
}

/* The span that --onset and --offset give: of the source, or of a file heard alone; else the whole sound. */
static int read_span(struct vg_call *call, struct vg_sound *sound)
{
    const char *onset = vg_call_text(call, "onset", NULL), *offset = vg_call_text(call, "offset", NULL);
    double onset_sec, offset_sec;
    struct vg_span span;

    if (onset == NULL && offset == NULL)
        return VG_OK;
    if (onset == NULL || offset == NULL || !vg_number_parse(onset, &onset_sec) ||
        !vg_number_parse(offset, &offset_sec) || onset_sec < 0 || !(offset_sec > onset_sec))
        return vg_fail(&call->err, VG_USAGE, "--onset",
                       "--onset %s --offset %s; expected both, in seconds, the offset after the onset",
                       onset != NULL ? onset : "(none)", offset != NULL ? offset : "(none)");
    span = vg_span_of(onset_sec, offset_sec, sound->rate_hz, sound->frames);
    sound->on = span.on;
    sound->off = span.off;
    return VG_OK;
}

static int read_sound(struct vg_call *call, const char *path, struct vg_sound *sound)
{
    struct vg_decode_rules rules = {.mix_down = true, .duration_max_sec = DURATION_MAX_SEC};
    struct vg_loaded loaded = {.facts = {.decoder = "", .note = ""}};
    int rc = vg_decode_file(path, path, &rules, &loaded, &call->arena, &call->err);

    if (rc != VG_OK)
        return rc;
    if (loaded.facts.note[0] != '\0')
        vg_say(call, "%s: %s", path, loaded.facts.note);
    *sound = (struct vg_sound){loaded.clip.samples, loaded.clip.frames, loaded.clip.rate_hz, 0,
                               loaded.clip.frames};
    return VG_OK;
}

static void add_evidence(struct vg_json *json, const char *key, const char *unit,
                         const struct vg_evidence *found, bool paired)
{
    vg_json_open(json, key, '{');
    vg_json_double(json, "net", found->net);
    if (paired)
        vg_json_double(json, "net_jnd", found->net_jnd);
    vg_json_double(json, "rank", found->rank);
    vg_json_integer(json, "sign", found->sign);
    vg_json_open(json, "trajectory", '[');
    for (size_t i = 0; i < found->segments; i++)
        vg_json_double(json, NULL, found->trajectory[i]);
    vg_json_close(json, ']');
    vg_json_string(json, "unit", unit);
    vg_json_close(json, '}');
}

static void add_line(struct hearing *h, const char *path, const struct vg_sound *sound, enum vg_quantity q,
                     const struct vg_evidence *paired, const struct vg_evidence *blind)
{
    struct vg_json json;

    vg_json_init(&json, &h->out);
    vg_json_open(&json, NULL, '{');
    vg_json_string(&json, "attribute", vg_measures[q].name);
    add_evidence(&json, "blind", vg_measures[q].unit_blind, blind, false);
    vg_json_string(&json, "file", path);
    vg_json_integer(&json, "frames", (int64_t)sound->frames);
    vg_json_double(&json, "offset_sec", (double)sound->off / sound->rate_hz);
    vg_json_double(&json, "onset_sec", (double)sound->on / sound->rate_hz);
    if (h->reference != NULL)
        add_evidence(&json, "paired", vg_measures[q].unit, paired, true);
    vg_json_integer(&json, "sample_rate_hz", sound->rate_hz);
    vg_json_close(&json, '}');
    vg_text_add_char(&h->out, '\n');
}

static int hear(struct hearing *h, struct vg_call *call, const char *path)
{
    struct vg_evidence paired[VG_QUANTITIES] = {0}, blind[VG_QUANTITIES] = {0};
    struct vg_arena_mark mark = vg_arena_mark(&h->tmp);
    struct vg_sound sound;
    int rc = read_sound(call, path, &sound);

    if (rc == VG_OK && h->reference == NULL)
        rc = read_span(call, &sound);
    if (rc != VG_OK)
        return rc;
    if (h->reference != NULL && sound.rate_hz != h->source.rate_hz)
        return vg_fail(&call->err, VG_SOURCE, path, "has %u Hz, its source %u Hz; expected the same rate",
                       (unsigned)sound.rate_hz, (unsigned)h->source.rate_hz);
    if (h->reference != NULL) {
        vg_sound_follow(&sound, &h->source);
        vg_measure_both(h->reference, &sound, &h->margins, h->wanted, paired, blind, &h->tmp);
    } else {
        vg_measure_blind(&sound, &h->margins, h->wanted, blind, &h->tmp);
    }
    vg_arena_rewind(&h->tmp, mark);
    for (unsigned q = 0; q < VG_QUANTITIES; q++)
        if ((h->wanted >> q & 1u) != 0)
            add_line(h, path, &sound, (enum vg_quantity)q, &paired[q], &blind[q]);
    rc = vg_print_out(call, &h->out);
    vg_text_clear(&h->out);
    return rc;
}

static int hear_source(struct hearing *h, struct vg_call *call)
{
    const char *path = vg_call_text(call, "source", NULL);
    int rc;

    if (path == NULL)
        return VG_OK;
    rc = read_sound(call, path, &h->source);
    if (rc == VG_OK)
        rc = read_span(call, &h->source);
    if (rc == VG_OK)
        h->reference = vg_reference_make(&h->source, &call->arena, &h->tmp);
    return rc;
}

static int run(struct vg_call *call)
{
    struct hearing h = {0};
    int rc = read_wanted(call, &h.wanted), worst = VG_OK;

    vg_margins_read(&h.margins, NULL);
    if (rc == VG_OK)
        rc = hear_source(&h, call);
    for (size_t i = 0; rc == VG_OK && i < call->operand_count; i++) {
        int one = hear(&h, call, call->operands[i]);

        worst = worst == VG_OK ? one : worst; /* a bad file does not hide the others */
    }
    vg_arena_release(&h.tmp);
    vg_text_release(&h.out);
    return rc != VG_OK ? rc : worst;
}

static const struct vg_option options[] = {
    {"source", 0, "FILE", VG_OPTION_TEXT, "compare each file with this recording that it was made from"},
    {"onset", 0, "SEC", VG_OPTION_TEXT, "where speech starts, in the source if there is one"},
    {"offset", 0, "SEC", VG_OPTION_TEXT, "where speech ends (default: the whole sound is speech)"},
    {"attribute", 0, "NAME", VG_OPTION_TEXT, "measure this one only, such as voice_pitch"},
    {0},
};

const struct vg_verb vg_verb_measure = {
    .name = "measure",
    .operands = "FILE...",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .summary = "Measure nine attributes of any recording over time, as JSON lines.",
    .details =
        "Alone, what a listener could hear without the source (blind). With --source, also what changed "
        "between the two (paired), in units and in just-noticeable differences. Channels are averaged.",
    .options = options,
    .run = run,
};
