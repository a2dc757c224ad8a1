/* SPDX-License-Identifier: MIT */
/* Help, manual page and bash completion, all from the verb table. */
#include "command.h"

#include <string.h>

enum { COLUMNS = 80, TEXT_COLUMN = 26 };

/* Words of `text` filled to 80 columns, every line but the first indented; a newline in it is kept. */
static void add_filled(struct vg_text *out, const char *text, size_t column, size_t indent)
{
    while (*text != '\0') {
        size_t word = strcspn(text, " \n");

        if (column > indent && column + 1 + word > COLUMNS) {
            vg_text_addf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            vg_text_add_char(out, ' ');
            column++;
        }
        vg_text_add_part(out, text, word);
        column += word;
        text += word;
        if (*text == '\n') {
            vg_text_addf(out, "\n%*s", (int)indent, "");
            column = indent;
        }
        text += *text != '\0';
    }
    vg_text_add_char(out, '\n');
}

static void add_option(struct vg_text *out, const struct vg_option *option)
{
    struct vg_text names = {0};

    if (option->letter != 0)
        vg_text_addf(&names, "  -%c, --%s", option->letter, option->name);
    else
        vg_text_addf(&names, "      --%s", option->name);
    if (option->argument != NULL)
        vg_text_addf(&names, "=%s", option->argument);
    vg_text_add(out, names.data);
    if (names.length + 2 > TEXT_COLUMN)
        vg_text_addf(out, "\n%*s", TEXT_COLUMN, "");
    else
        vg_text_addf(out, "%*s", (int)(TEXT_COLUMN - names.length), "");
    add_filled(out, option->meaning, TEXT_COLUMN, TEXT_COLUMN);
    vg_text_release(&names);
}

void vg_help_print(const struct vg_verb *verb)
{
    struct vg_text out = {0};
    const struct vg_option *option;

    vg_text_addf(&out, "Usage: vocalgrad %s [OPTION]... %s\n\n", verb->name, verb->operands);
    add_filled(&out, verb->summary, 0, 0);
    if (verb->details != NULL) {
        vg_text_add_char(&out, '\n');
        add_filled(&out, verb->details, 0, 0);
    }
    vg_text_add(&out, "\nOptions:\n");
    for (size_t i = 0; (option = vg_verb_option(verb, i)) != NULL; i++)
        add_option(&out, option);
    fputs(out.data, stdout);
    vg_text_release(&out);
}

void vg_help_overview(const struct vg_verb *const *verbs, size_t count)
{
    struct vg_text out = {0};

    vg_text_add(
        &out, "Usage: vocalgrad VERB [OPTION]... OPERAND...\n\n"
              "Compiles a specification into a verified, hashed release of an audio benchmark.\n\nVerbs:\n");
    for (size_t i = 0; i < count; i++) {
        vg_text_addf(&out, "  %-14s", verbs[i]->name);
        add_filled(&out, verbs[i]->summary, 16, 16);
    }
    vg_text_add(&out, "\n`vocalgrad VERB --help` shows the options of a verb.\n"
                      "Exit status: 0 yes; 1 the check says no; 2 usage; 3 spec; 4 source data;\n"
                      "5 input or output.\n");
    fputs(out.data, stdout);
    vg_text_release(&out);
}

static void add_roff(struct vg_text *out, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\\' || *c == '-')
            vg_text_add_char(out, '\\');
        if ((*c == '.' || *c == '\'') && (c == text || c[-1] == '\n'))
            vg_text_add(out, "\\&");
        vg_text_add_char(out, *c);
    }
}

static void add_roff_verb(struct vg_text *out, const struct vg_verb *verb)
{
    const struct vg_option *option;

    vg_text_addf(out, ".SS \"%s %s\"\n", verb->name, verb->operands);
    add_roff(out, verb->summary);
    vg_text_add(out, "\n");
    if (verb->details != NULL) {
        vg_text_add(out, ".PP\n");
        add_roff(out, verb->details);
        vg_text_add(out, "\n");
    }
    for (size_t i = 0; (option = vg_verb_option(verb, i)) != NULL; i++) {
        vg_text_add(out, ".TP\n.B ");
        if (option->letter != 0)
            vg_text_addf(out, "\\-%c, ", option->letter);
        vg_text_addf(out, "\\-\\-%s%s%s\n", option->name, option->argument != NULL ? "=" : "",
                     option->argument != NULL ? option->argument : "");
        add_roff(out, option->meaning);
        vg_text_add(out, "\n");
    }
}

void vg_manual_print(const struct vg_verb *const *verbs, size_t count)
{
    struct vg_text out = {0};

    vg_text_add(
        &out, ".TH VOCALGRAD 1 \"\" \"vocalgrad " VG_VERSION "\" \"User Commands\"\n"
              ".SH NAME\nvocalgrad \\- deterministic compiler of audio\\-language\\-model benchmarks\n"
              ".SH SYNOPSIS\n.B vocalgrad\n.I VERB\n[\\fIOPTION\\fR]... \\fIOPERAND\\fR...\n"
              ".SH DESCRIPTION\nTurns a specification into a release: every item is rendered bit for bit the "
              "same on every machine, measured, encoded, hashed and packed.\n.SH VERBS\n");
    for (size_t i = 0; i < count; i++)
        add_roff_verb(&out, verbs[i]);
    vg_text_add(
        &out,
        ".SH EXIT STATUS\n0 yes; 1 the check says no; 2 usage; 3 spec; 4 source data; 5 input or output.\n"
        ".SH ENVIRONMENT\n.B NO_COLOR\nno colours; \n.B SOURCE_DATE_EPOCH\nthe date a release may "
        "state, in seconds since 1970.\n");
    fputs(out.data, stdout);
    vg_text_release(&out);
}

void vg_completion_print(const struct vg_verb *const *verbs, size_t count)
{
    struct vg_text out = {0};
    const struct vg_option *option;

    vg_text_add(&out, "# bash completion for vocalgrad, made by `vocalgrad --completion`\n_vocalgrad()\n{\n"
                      "    local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} options\n"
                      "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"");
    for (size_t i = 0; i < count; i++)
        vg_text_addf(&out, "%s ", verbs[i]->name);
    vg_text_add(&out, "--help --version\" -- \"$word\"))\n        return\n    fi\n    case $verb in\n");
    for (size_t i = 0; i < count; i++) {
        vg_text_addf(&out, "    %s) options=\"", verbs[i]->name);
        for (size_t k = 0; (option = vg_verb_option(verbs[i], k)) != NULL; k++)
            vg_text_addf(&out, "%s--%s%s", k > 0 ? " " : "", option->name,
                         option->argument != NULL ? "=" : "");
        vg_text_add(&out, "\" ;;\n");
    }
    vg_text_add(&out, "    *) options=\"\" ;;\n    esac\n    case $word in\n"
                      "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
                      "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n    esac\n}\n"
                      "complete -o nospace -o filenames -F _vocalgrad vocalgrad\n");
    fputs(out.data, stdout);
    vg_text_release(&out);
}
