/* SPDX-License-Identifier: MIT */
/* What a rule expects, worded from the rule itself, so that a message cannot contradict the check. */
#include "loading.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

static void add_range(const struct vg_key_rule *rule, struct vg_text *out)
{
    bool above = (rule->flags & VG_ABOVE_MIN) != 0, below = (rule->flags & VG_BELOW_MAX) != 0;

    if (rule->min == 0 && rule->max == 0)
        return;
    if (rule->max > DBL_MAX) {
        vg_text_add(out, above ? " above " : " of at least ");
        vg_text_add_double(out, rule->min);
        return;
    }
    vg_text_add(out, above ? " above " : below ? " of at least " : " from ");
    vg_text_add_double(out, rule->min);
    vg_text_add(out, below ? " and below " : above ? " and at most " : " to ");
    vg_text_add_double(out, rule->max);
}

static void add_count(const struct vg_key_rule *rule, const char *unit, struct vg_text *out)
{
    if (rule->max > 0)
        vg_text_addf(out, ", %" PRId64 " to %" PRId64 " %s", (int64_t)rule->min, (int64_t)rule->max, unit);
}

/* "fail|skip|flag" as "fail, skip or flag". */
static void add_choices(const char *choices, struct vg_text *out)
{
    const char *last = strrchr(choices, '|');

    for (const char *c = choices; *c != '\0'; c++) {
        if (*c != '|')
            vg_text_add_char(out, *c);
        else
            vg_text_add(out, c == last ? " or " : ", ");
    }
}

static void add_keys(const struct vg_key_rule *keys, struct vg_text *out)
{
    for (size_t i = 0; keys != NULL && keys[i].name != NULL; i++)
        vg_text_addf(out, "%s%s", i > 0 ? ", " : " of ", keys[i].name);
}

void vg_rule_expected(const struct vg_key_rule *rule, struct vg_text *out)
{
    switch (rule->type) {
    case VG_KEY_NUMBER:
    case VG_KEY_INTEGER:
        vg_text_add(out, rule->type == VG_KEY_NUMBER ? "a number" : "a whole number");
        add_range(rule, out);
        break;
    case VG_KEY_NUMBERS:
        vg_text_add(out, rule->max == 0 && rule->min == 0 ? "a list of numbers" : "a list of numbers, each");
        add_range(rule, out);
        break;
    case VG_KEY_TEXT:
        vg_text_add(out, "a text");
        add_count(rule, "bytes", out);
        break;
    case VG_KEY_BOOL:
        vg_text_add(out, "true or false");
        break;
    case VG_KEY_CHOICE:
        add_choices(rule->choices, out);
        break;
    case VG_KEY_TEXTS:
        vg_text_add(out, rule->choices != NULL ? "a list of " : "a list of texts");
        if (rule->choices != NULL)
            add_choices(rule->choices, out);
        add_count(rule, "items", out);
        break;
    case VG_KEY_MAP:
        vg_text_add(out, "a map");
        add_keys(rule->keys, out);
        break;
    case VG_KEY_LIST:
        vg_text_add(out, "a list");
        add_count(rule, "items", out);
        break;
    }
    if (rule->meaning != NULL)
        vg_text_addf(out, " (%s)", rule->meaning);
}
