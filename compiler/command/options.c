/* SPDX-License-Identifier: MIT */
/* Command lines: GNU-style options read against a verb's table. */
#include "command.h"

#include <string.h>

static const struct vg_option help_option = {"help", 'h', NULL, VG_OPTION_FLAG, "show this help"};
static const struct vg_option common_options[] = {
    {"quiet", 'q', NULL, VG_OPTION_FLAG, "say nothing but errors"},
    {"verbose", 'v', NULL, VG_OPTION_FLAG, "say more"},
    {0},
};
static const struct vg_option spec_options[] = {
    {"set", 0, "PATH=VALUE", VG_OPTION_LIST, "override a value of the spec (repeatable, recorded)"},
    {"only", 0, "KEY=V[,V]", VG_OPTION_LIST,
     "keep a subset: split, category, tier, curve, direction, source"},
    {0},
};
static const struct vg_option jobs_options[] = {
    {"jobs", 'j', "N", VG_OPTION_COUNT, "worker threads (default: all cores); never changes a byte"},
    {"progress", 0, "WHEN", VG_OPTION_TEXT, "a bar on stderr: auto, always or never"},
    {0},
};
static const struct vg_option json_options[] = {
    {"json", 0, NULL, VG_OPTION_FLAG, "JSON on stdout"},
    {0},
};

static size_t count_options(const struct vg_option *options)
{
    size_t count = 0;

    while (options != NULL && options[count].name != NULL)
        count++;
    return count;
}

const struct vg_option *vg_verb_option(const struct vg_verb *verb, size_t index)
{
    const struct vg_option *tables[] = {verb->options, verb->groups & VG_OPTIONS_SPEC ? spec_options : NULL,
                                        verb->groups & VG_OPTIONS_JOBS ? jobs_options : NULL,
                                        verb->groups & VG_OPTIONS_JSON ? json_options : NULL, common_options};

    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        size_t count = count_options(tables[t]);

        if (index < count)
            return &tables[t][index];
        index -= count;
    }
    return index == 0 ? &help_option : NULL;
}

static const struct vg_option *find_long(const struct vg_verb *verb, const char *name, size_t length)
{
    const struct vg_option *option;

    for (size_t i = 0; (option = vg_verb_option(verb, i)) != NULL; i++)
        if (strlen(option->name) == length && memcmp(option->name, name, length) == 0)
            return option;
    return NULL;
}

static const struct vg_option *find_short(const struct vg_verb *verb, char letter)
{
    const struct vg_option *option;

    for (size_t i = 0; (option = vg_verb_option(verb, i)) != NULL; i++)
        if (option->letter == letter)
            return option;
    return NULL;
}

static int fail_unknown(struct vg_call *call, const char *argument)
{
    const char *names[64], *near, *bare = argument + strspn(argument, "-");
    const struct vg_option *option;
    size_t count = 0;

    for (size_t i = 0; (option = vg_verb_option(call->verb, i)) != NULL && count < 64; i++)
        names[count++] = option->name;
    near = vg_nearest(bare, names, count);
    return vg_fail(&call->err, VG_USAGE, call->verb->name, "unknown option %s%s%s%s; see vocalgrad %s --help",
                   argument, near != NULL ? "; did you mean --" : "", near != NULL ? near : "",
                   near != NULL ? "?" : "", call->verb->name);
}

static int take_value(struct vg_call *call, const struct vg_option *option, const char *value)
{
    int64_t number;

    if (option->kind == VG_OPTION_COUNT && (!vg_integer_parse(value, &number) || number < 1 || number > 4096))
        return vg_fail(&call->err, VG_USAGE, call->verb->name,
                       "--%s is %s; expected a whole number from 1 to 4096", option->name, value);
    call->given[call->given_count++] = (struct vg_given){option, value};
    return VG_OK;
}

/* A long or short option at argv[*i]; moves *i over its value. */
static int take_option(struct vg_call *call, int argc, char **argv, int *i)
{
    const char *argument = argv[*i], *equals = strchr(argument, '='), *value = NULL;
    bool is_long = argument[1] == '-';
    const struct vg_option *option;

    if (is_long) {
        size_t length = equals != NULL ? (size_t)(equals - argument - 2) : strlen(argument + 2);

        option = find_long(call->verb, argument + 2, length);
        value = equals != NULL ? equals + 1 : NULL;
    } else {
        option = find_short(call->verb, argument[1]);
        value = argument[2] != '\0' ? argument + 2 : NULL;
    }
    if (option == NULL || (option->argument == NULL && !is_long && value != NULL))
        return fail_unknown(call, argument);
    if (option->argument == NULL && value != NULL)
        return vg_fail(&call->err, VG_USAGE, call->verb->name, "--%s takes no value; found %s", option->name,
                       argument);
    if (option->argument != NULL && value == NULL && *i + 1 >= argc)
        return vg_fail(&call->err, VG_USAGE, call->verb->name, "--%s needs a value: %s", option->name,
                       option->argument);
    if (option->argument != NULL && value == NULL)
        value = argv[++*i];
    return take_value(call, option, value);
}

static int check_operands(struct vg_call *call)
{
    const struct vg_verb *verb = call->verb;

    if (call->operand_count >= verb->operands_min && call->operand_count <= verb->operands_max)
        return VG_OK;
    return vg_fail(&call->err, VG_USAGE, verb->name, "%zu operand%s given; expected: vocalgrad %s %s",
                   call->operand_count, call->operand_count == 1 ? "" : "s", verb->name, verb->operands);
}

int vg_call_parse(struct vg_call *call, const struct vg_verb *verb, int argc, char **argv)
{
    bool options_over = false;
    int rc = VG_OK;

    call->verb = verb;
    call->operands = vg_arena_take(&call->arena, (size_t)argc + 1, sizeof *call->operands);
    call->given = vg_arena_take(&call->arena, (size_t)argc + 1, sizeof *call->given);
    for (int i = 0; i < argc; i++) {
        if (!options_over && strcmp(argv[i], "--") == 0)
            options_over = true;
        else if (options_over || argv[i][0] != '-' || argv[i][1] == '\0')
            call->operands[call->operand_count++] = argv[i];
        else if (take_option(call, argc, argv, &i) != VG_OK)
            rc = VG_USAGE;
    }
    if (call->operand_count == 0 && verb->operand_default != NULL)
        call->operands[call->operand_count++] = verb->operand_default;
    call->quiet = vg_call_flag(call, "quiet");
    call->verbose = vg_call_flag(call, "verbose");
    if (rc == VG_OK && !vg_call_flag(call, "help"))
        rc = check_operands(call);
    return rc;
}

bool vg_call_flag(const struct vg_call *call, const char *name)
{
    for (size_t i = 0; i < call->given_count; i++)
        if (strcmp(call->given[i].option->name, name) == 0)
            return true;
    return false;
}

const char *vg_call_text(const struct vg_call *call, const char *name, const char *fallback)
{
    for (size_t i = call->given_count; i-- > 0;)
        if (strcmp(call->given[i].option->name, name) == 0)
            return call->given[i].value;
    return fallback;
}

const char **vg_call_list(struct vg_call *call, const char *name, size_t *count)
{
    const char **values = vg_arena_take(&call->arena, call->given_count + 1, sizeof *values);

    *count = 0;
    for (size_t i = 0; i < call->given_count; i++)
        if (strcmp(call->given[i].option->name, name) == 0)
            values[(*count)++] = call->given[i].value;
    return values;
}

size_t vg_call_count(const struct vg_call *call, const char *name, size_t fallback)
{
    const char *text = vg_call_text(call, name, NULL);
    int64_t value = 0;

    return text != NULL && vg_integer_parse(text, &value) ? (size_t)value : fallback;
}
