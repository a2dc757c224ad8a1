/* SPDX-License-Identifier: MIT */
/* Texts that have a form: names, versions, the prompt, dates. */
#include "loading.h"

#include <string.h>

enum { NAME_MAX_BYTES = 64 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_letter(char c)
{
    return is_lower(c) || (c >= 'A' && c <= 'Z');
}

/* Lower-case letters, digits and `extra`; a letter or digit first. */
static bool is_word(const char *text, char extra)
{
    if (!is_lower(text[0]) && !is_digit(text[0]))
        return false;
    for (const char *c = text; *c != '\0'; c++)
        if (!is_lower(*c) && !is_digit(*c) && *c != extra)
            return false;
    return strlen(text) <= NAME_MAX_BYTES;
}

static bool is_release_name(const char *text)
{
    return is_word(text, '-');
}

/* Names that stand between "__" in item ids and between "-" in file names. */
bool vg_is_part_name(const char *text)
{
    return is_word(text, '_') && strstr(text, "__") == NULL && text[strlen(text) - 1] != '_';
}

/* "0" or digits without a leading zero; returns what follows, NULL where there is none. */
static const char *after_number(const char *text)
{
    size_t length = strspn(text, "0123456789");

    return length == 0 || (length > 1 && text[0] == '0') ? NULL : text + length;
}

/* Identifiers joined by dots up to `end`; numeric ones without a leading zero where `strict`. */
static const char *after_identifiers(const char *text, const char *end, bool strict)
{
    for (;;) {
        const char *start = text;

        while (is_letter(*text) || is_digit(*text) || *text == '-')
            text++;
        if (text == start || (strict && *start == '0' && after_number(start) == NULL &&
                              start + strspn(start, "0123456789") == text))
            return NULL;
        if (*text != '.')
            return strchr(end, *text) != NULL ? text : NULL;
        text++;
    }
}

/* Semantic Versioning 2.0.0, section 2, 9 and 10. */
static bool is_version(const char *text)
{
    const char *c = text;

    for (int i = 0; i < 3 && c != NULL; i++) {
        c = after_number(c);
        if (c != NULL && i < 2)
            c = *c == '.' ? c + 1 : NULL;
    }
    if (c != NULL && *c == '-')
        c = after_identifiers(c + 1, "+", true);
    if (c != NULL && *c == '+')
        c = after_identifiers(c + 1, "", false);
    return c != NULL && *c == '\0' && strlen(text) <= NAME_MAX_BYTES;
}

static bool is_seed(const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            return false;
    return text[0] != '\0' && strlen(text) <= NAME_MAX_BYTES;
}

static bool is_license(const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        if (!is_letter(*c) && !is_digit(*c) && strchr(".-+:() ", *c) == NULL)
            return false;
    return text[0] != '\0' && text[0] != ' ' && strlen(text) <= 4 * NAME_MAX_BYTES;
}

/* {attribute} at least once, and no other brace. */
static bool is_prompt(const char *text)
{
    static const char placeholder[] = "{attribute}";
    bool found = false;

    while ((text = strpbrk(text, "{}")) != NULL) {
        if (strncmp(text, placeholder, sizeof placeholder - 1) != 0)
            return false;
        text += sizeof placeholder - 1;
        found = true;
    }
    return found;
}

static bool is_date(const char *text)
{
    static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int month, day;

    if (strlen(text) != 10 || text[4] != '-' || text[7] != '-')
        return false;
    for (int i = 0; i < 10; i++)
        if (i != 4 && i != 7 && !is_digit(text[i]))
            return false;
    month = (text[5] - '0') * 10 + text[6] - '0';
    day = (text[8] - '0') * 10 + text[9] - '0';
    return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1];
}

struct form {
    const char *map, *key; /* map NULL: the top */
    bool (*holds)(const char *text);
    const char *expected;
};

static const struct form forms[] = {
    {NULL, "name", is_release_name, "lower-case letters, digits and -, a letter or digit first, at most 64"},
    {NULL, "version", is_version, "three numbers such as 1.0.0 (semantic versioning), at most 64 bytes"},
    {NULL, "seed", is_seed, "1 to 64 printable ASCII characters"},
    {NULL, "license", is_license, "an SPDX expression such as CC-BY-4.0"},
    {NULL, "prompt", is_prompt, "a question with {attribute} and no other braces"},
    {"card", "date_published", is_date, "a date as YYYY-MM-DD"},
};

static void check_form(const struct form *form, const struct vg_node *root, struct vg_error *err)
{
    const struct vg_node *map = form->map != NULL ? vg_node_find(root, form->map) : root;
    const struct vg_node *node = vg_node_find(map, form->key);
    struct vg_text found = {0};

    if (node == NULL || node->kind != VG_NODE_SCALAR || form->holds(node->text))
        return;
    vg_node_show(node, &found);
    vg_node_fail(node, err, "%s%s%s is %s; expected %s", form->map != NULL ? form->map : "",
                 form->map != NULL ? "." : "", form->key, found.data, form->expected);
    vg_text_release(&found);
}

static void check_labels(const struct vg_node *labels, struct vg_error *err)
{
    const struct vg_node *up = vg_node_find(labels, "up"), *down = vg_node_find(labels, "down");

    if (up != NULL && down != NULL && up->kind == VG_NODE_SCALAR && down->kind == VG_NODE_SCALAR &&
        strcmp(up->text, down->text) == 0)
        vg_node_fail(down, err, "labels.down is %s, as is labels.up; expected two different answers",
                     down->text);
}

void vg_texts_check(struct vg_loading *l)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        check_form(&forms[i], l->root, l->err);
    check_labels(vg_node_find(l->root, "labels"), l->err);
}
