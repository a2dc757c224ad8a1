/* SPDX-License-Identifier: MIT */
/* Values in canonical YAML: one way to write each kind, and only forms that YAML 1.1 and 1.2 readers take for
 * the same thing.  Words stand plain where no reader can mistake them, other texts in double quotes, numbers
 * with a point before any exponent. */
#include "loading.h"

#include <inttypes.h>
#include <string.h>

/* ---- scalars ---------------------------------------------------------------------------------------- */

void vg_yaml_indent(struct vg_text *out, unsigned depth)
{
    vg_text_addf(out, "%*s", (int)(2 * depth), "");
}

/* Words that YAML 1.1 takes for a truth value or nothing, in any case. */
static bool is_yaml_word(const char *text)
{
    static const char *const words[] = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"};
    char lower[8] = "";

    if (strlen(text) >= sizeof lower)
        return false;
    for (size_t i = 0; text[i] != '\0'; i++)
        lower[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(lower, words[i]) == 0)
            return true;
    return false;
}

static bool is_plain(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char rest[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";

    return text[0] != '\0' && strchr(letters, text[0]) != NULL && text[strspn(text, rest)] == '\0' &&
           !is_yaml_word(text);
}

/* Characters that libyaml or a YAML 1.1 reader would not take raw inside quotes: bytes used up, or 0. */
static size_t escape_wide(const char *c, struct vg_text *out)
{
    const unsigned char *s = (const unsigned char *)c;

    if (s[0] == 0xC2 && s[1] < 0xA0) {
        vg_text_addf(out, "\\u%04X", (unsigned)s[1]); /* C1 controls, NEL */
        return 2;
    }
    if (s[0] == 0xE2 && s[1] == 0x80 && (s[2] == 0xA8 || s[2] == 0xA9)) {
        vg_text_addf(out, "\\u%04X", 0x2028u + (s[2] & 1)); /* line and paragraph separator */
        return 3;
    }
    if (s[0] == 0xEF && ((s[1] == 0xBB && s[2] == 0xBF) || (s[1] == 0xBF && s[2] >= 0xBE))) {
        vg_text_addf(out, "\\u%04X",
                     0xF000u | (unsigned)(s[1] & 0x3F) << 6 | (s[2] & 0x3Fu)); /* BOM, FFFE, FFFF */
        return 3;
    }
    return 0;
}

static void add_quoted(struct vg_text *out, const char *text)
{
    vg_text_add_char(out, '"');
    for (const char *c = text; *c != '\0';) {
        size_t wide = escape_wide(c, out);

        if (wide > 0) {
            c += wide;
            continue;
        }
        if (*c == '"' || *c == '\\')
            vg_text_addf(out, "\\%c", *c);
        else if (*c == '\n')
            vg_text_add(out, "\\n");
        else if ((unsigned char)*c < 0x20 || *c == 0x7F)
            vg_text_addf(out, "\\u%04X", (unsigned)*c);
        else
            vg_text_add_char(out, *c);
        c++;
    }
    vg_text_add_char(out, '"');
}

void vg_yaml_word(struct vg_text *out, const char *text)
{
    if (is_plain(text))
        vg_text_add(out, text);
    else
        add_quoted(out, text);
}

/* A YAML 1.1 reader takes 1e-7 for a text, but 1.0e-7 for a number. */
void vg_yaml_number(struct vg_text *out, double value)
{
    struct vg_text number = {0};
    const char *exponent;

    vg_text_add_double(&number, value);
    exponent = strchr(number.data, 'e');
    if (exponent == NULL || strchr(number.data, '.') != NULL)
        vg_text_add(out, number.data);
    else
        vg_text_addf(out, "%.*s.0%s", (int)(exponent - number.data), number.data, exponent);
    vg_text_release(&number);
}

static void add_choice(struct vg_text *out, const char *choices, size_t place)
{
    while (place-- > 0)
        choices = strchr(choices, '|') + 1;
    vg_text_add_part(out, choices, strcspn(choices, "|"));
}

void vg_yaml_values(struct vg_text *out, const struct vg_value *value, const struct vg_key_rule *rule)
{
    vg_text_add(out, rule->type == VG_KEY_NUMBERS ? "[" : "");
    for (size_t i = 0; i < value->count; i++) {
        vg_text_add(out, i > 0 ? ", " : "");
        if (rule->type == VG_KEY_CHOICE)
            add_choice(out, rule->choices, (size_t)value->at[i]);
        else
            vg_yaml_number(out, value->at[i]);
    }
    vg_text_add(out, rule->type == VG_KEY_NUMBERS ? "]" : "");
}

void vg_yaml_words(struct vg_text *out, const char *const *words, size_t count)
{
    vg_text_add_char(out, '[');
    for (size_t i = 0; i < count; i++) {
        vg_text_add(out, i > 0 ? ", " : "");
        vg_yaml_word(out, words[i]);
    }
    vg_text_add_char(out, ']');
}

/* ---- nodes without rules: a plain number is a number, all else is what it is -------------------------- */

static void add_free_scalar(struct vg_text *out, const struct vg_node *node)
{
    double value;

    if (node->text == NULL)
        vg_text_add(out, "null");
    else if (vg_node_is_number(node, &value))
        vg_yaml_number(out, value);
    else if (!node->quoted && (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0))
        vg_text_add(out, node->text);
    else
        vg_yaml_word(out, node->text);
}

static void add_free_flow(struct vg_text *out, const struct vg_node *node)
{
    bool is_map = node->kind == VG_NODE_MAP;

    if (node->kind == VG_NODE_SCALAR) {
        add_free_scalar(out, node);
        return;
    }
    vg_text_add_char(out, is_map ? '{' : '[');
    for (size_t i = 0; i < node->count; i++) {
        vg_text_add(out, i > 0 ? ", " : "");
        if (is_map) {
            vg_yaml_word(out, node->entries[i].key);
            vg_text_add(out, ": ");
        }
        add_free_flow(out, node->entries[i].value);
    }
    vg_text_add_char(out, is_map ? '}' : ']');
}

static bool is_flat(const struct vg_node *node)
{
    for (size_t i = 0; i < node->count; i++)
        if (node->entries[i].value->kind != VG_NODE_SCALAR)
            return false;
    return true;
}

/* After "key:" or "-": a map or list of scalars on the same line, larger ones below. */
static void add_free(struct vg_text *out, const struct vg_node *node, unsigned depth)
{
    if (is_flat(node)) {
        vg_text_add_char(out, ' ');
        add_free_flow(out, node);
        vg_text_add_char(out, '\n');
        return;
    }
    vg_text_add_char(out, '\n');
    for (size_t i = 0; i < node->count; i++) {
        vg_yaml_indent(out, depth);
        if (node->kind == VG_NODE_MAP)
            vg_yaml_word(out, node->entries[i].key);
        vg_text_add_char(out, node->kind == VG_NODE_MAP ? ':' : '-');
        add_free(out, node->entries[i].value, depth + 1);
    }
}

/* ---- nodes with rules ------------------------------------------------------------------------------- */

static void add_scalar(struct vg_text *out, const struct vg_node *node, const struct vg_key_rule *rule)
{
    double value = 0;
    int64_t whole = 0;

    if (rule->type == VG_KEY_INTEGER && vg_integer_parse(node->text, &whole))
        vg_text_addf(out, "%" PRId64, whole);
    else if (rule->type == VG_KEY_NUMBER && vg_node_is_number(node, &value))
        vg_yaml_number(out, value);
    else if (rule->type == VG_KEY_BOOL)
        vg_text_add(out, node->text);
    else
        vg_yaml_word(out, node->text);
}

static void add_list(struct vg_text *out, const struct vg_node *list, const struct vg_key_rule *rule)
{
    const struct vg_key_rule each = {.type = rule->type == VG_KEY_NUMBERS ? VG_KEY_NUMBER : VG_KEY_TEXT};

    vg_text_add_char(out, '[');
    for (size_t i = 0; i < list->count; i++) {
        vg_text_add(out, i > 0 ? ", " : "");
        add_scalar(out, list->entries[i].value, &each);
    }
    vg_text_add_char(out, ']');
}

/* After "key:". */
void vg_yaml_node(struct vg_text *out, const struct vg_node *node, const struct vg_key_rule *rule,
                  unsigned depth)
{
    if (rule->type == VG_KEY_LIST || (rule->type == VG_KEY_MAP && rule->keys == NULL)) {
        add_free(out, node, depth + 1);
        return;
    }
    if (rule->type == VG_KEY_MAP && node->count > 0) {
        vg_text_add_char(out, '\n');
        vg_yaml_map(out, node, rule->keys, depth + 1);
        return;
    }
    vg_text_add_char(out, ' ');
    if (rule->type == VG_KEY_MAP)
        vg_text_add(out, "{}");
    else if (node->kind == VG_NODE_LIST)
        add_list(out, node, rule);
    else
        add_scalar(out, node, rule);
    vg_text_add_char(out, '\n');
}

void vg_yaml_key(struct vg_text *out, unsigned depth, const char *key)
{
    vg_yaml_indent(out, depth);
    vg_text_addf(out, "%s:", key);
}

void vg_yaml_map(struct vg_text *out, const struct vg_node *map, const struct vg_key_rule *rules,
                 unsigned depth)
{
    for (; rules != NULL && rules->name != NULL; rules++) {
        const struct vg_node *node = vg_node_find(map, rules->name);

        if (node == NULL)
            continue;
        vg_yaml_key(out, depth, rules->name);
        vg_yaml_node(out, node, rules, depth);
    }
}
