/* SPDX-License-Identifier: MIT */
/* A row of the manifest read for the list only: one walk over its bytes, member by member.  A row is
 * canonical JSON: no blanks, and no escapes in the names that are looked for; whatever is not like that is
 * left to the whole parser, and so is every row that a page shows. */
#include "library.h"

#include <string.h>

/* A value as it stands. */
struct part {
    const char *at;
    size_t length;
};

/* Behind the string that begins at `at`; NULL where it has no end. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\')
            at++;
    return at < end ? at + 1 : NULL;
}

/* Behind the value: the next comma or bracket outside it. */
static const char *skip_value(const char *at, const char *end)
{
    size_t depth = 0;

    while (at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
            if (at == NULL)
                return NULL;
            continue;
        }
        if (depth == 0 && (*at == ',' || *at == '}' || *at == ']'))
            return at;
        if (*at == '{' || *at == '[')
            depth++;
        else if (*at == '}' || *at == ']')
            depth--;
        at++;
    }
    return NULL;
}

/* The next member of an object; `*at` stands on its first quote.  False at the end, `*sound` false where the
 * text breaks off. */
static bool next_member(const char **at, const char *end, struct part *name, struct part *value, bool *sound)
{
    const char *close = *at < end && **at == '"' ? skip_string(*at, end) : NULL;
    const char *stop = close != NULL && close < end && *close == ':' ? skip_value(close + 1, end) : NULL;

    *sound = stop != NULL && *stop != ']';
    if (!*sound)
        return false;
    *name = (struct part){*at + 1, (size_t)(close - *at) - 2};
    *value = (struct part){close + 1, (size_t)(stop - close) - 1};
    *at = *stop == ',' ? stop + 1 : stop;
    return true;
}

static bool is_named(const struct part *name, const char *text)
{
    return strlen(text) == name->length && memcmp(name->at, text, name->length) == 0;
}

/* Member of an object; false where it is none or has none of that name. */
static bool find_member(const struct part *object, const char *wanted, struct part *found)
{
    const char *at = object->at + 1, *end = object->at + object->length;
    struct part name;
    bool sound;

    if (object->length < 2 || object->at[0] != '{')
        return false;
    while (next_member(&at, end, &name, found, &sound))
        if (is_named(&name, wanted))
            return true;
    return false;
}

static bool read_text(const struct part *value, struct vg_arena *arena, const char **text)
{
    if (value->length < 2 || value->at[0] != '"' || memchr(value->at, '\\', value->length) != NULL ||
        !vg_text_is_utf8(value->at, value->length))
        return false;
    *text = vg_arena_text_part(arena, value->at + 1, value->length - 2);
    return true;
}

static bool read_number(const struct part *value, double *number)
{
    char text[40];

    if (value->length >= sizeof text)
        return false;
    memcpy(text, value->at, value->length);
    text[value->length] = '\0';
    return vg_number_parse(text, number);
}

/* ---- what the list needs ------------------------------------------------------------------------------- */

enum wanted {
    W_BELOW_JND,
    W_CATEGORY,
    W_CURVE,
    W_DIRECTION,
    W_EVIDENCE,
    W_FRAMES,
    W_ID,
    W_KEY,
    W_RATE,
    W_SHARD,
    W_SOURCE,
    W_TEXT,
    W_SPEAKER,
    W_SPLIT,
    W_TIER,
    W_VERDICT,
    WANTED
};
/* As the manifest has them: ascending. */
static const char *const names[WANTED] = {
    "below_jnd",      "category", "curve",  "direction",   "evidence",   "frames", "id",   "key",
    "sample_rate_hz", "shard",    "source", "source_text", "speaker_id", "split",  "tier", "verdict"};

/* All of them, in one walk; false where one is missing. */
static bool collect(const char *line, size_t length, struct part parts[WANTED])
{
    const char *at = line + 1, *end = line + length;
    struct part name, value;
    size_t next = 0;
    bool sound = length > 2 && line[0] == '{';

    while (sound && next < WANTED && next_member(&at, end, &name, &value, &sound))
        if (is_named(&name, names[next]))
            parts[next++] = value;
    return next == WANTED;
}

static bool read_evidence(struct vg_record *record, const struct part parts[WANTED])
{
    enum vg_quantity quantity = vg_quantity_of(record->category);
    struct part paired, own, net;
    int found = 0;

    record->measured = !is_named(&parts[W_VERDICT], "null");
    record->below_jnd = is_named(&parts[W_BELOW_JND], "true");
    if (!record->measured)
        return true;
    while (found < 4 &&
           !(parts[W_VERDICT].length == strlen(vg_verdict_names[found]) + 2 &&
             memcmp(parts[W_VERDICT].at + 1, vg_verdict_names[found], strlen(vg_verdict_names[found])) == 0))
        found++;
    record->verdict = (enum vg_verdict)found;
    return found < 4 && quantity < VG_QUANTITIES && find_member(&parts[W_EVIDENCE], "paired", &paired) &&
           find_member(&paired, record->category, &own) && find_member(&own, "net_jnd", &net) &&
           read_number(&net, &record->paired[quantity].net_jnd);
}

bool vg_row_scan(struct vg_record *record, const char *line, size_t length, struct vg_arena *arena)
{
    struct part parts[WANTED];
    double frames, rate_hz;
    const struct {
        enum wanted wanted;
        const char **text;
    } texts[] = {
        {W_CATEGORY, &record->category},
        {W_CURVE, &record->curve},
        {W_DIRECTION, &record->direction},
        {W_ID, &record->id},
        {W_KEY, &record->key},
        {W_SHARD, &record->shard},
        {W_SOURCE, &record->source},
        {W_TEXT, &record->source_text},
        {W_SPEAKER, &record->speaker_id},
        {W_SPLIT, &record->split},
        {W_TIER, &record->tier},
    };

    *record = (struct vg_record){0};
    if (!collect(line, length, parts))
        return false;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!read_text(&parts[texts[i].wanted], arena, texts[i].text))
            return false;
    if (!read_number(&parts[W_FRAMES], &frames) || !read_number(&parts[W_RATE], &rate_hz) || frames < 0 ||
        frames > 1e15 || rate_hz < 1 || rate_hz > 1e9)
        return false;
    record->frames = (size_t)frames;
    record->rate_hz = (uint32_t)rate_hz;
    return read_evidence(record, parts);
}
