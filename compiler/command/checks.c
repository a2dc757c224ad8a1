/* SPDX-License-Identifier: MIT */
/* What `verify` found, for machines: JSON, and the XML that CI systems read as JUnit's. */
#include "checks.h"

#include <string.h>

/* ---- JSON
 * ---------------------------------------------------------------------------------------------------- */

static void write_issues(struct vg_json *json, const char *key, const struct vg_call *call,
                         const struct vg_check *check, bool warnings)
{
    vg_json_open(json, key, '[');
    for (size_t i = check->first; i < check->first + check->count; i++) {
        const struct vg_issue *issue = &call->err.issues[i];

        if ((issue->code == VG_OK) != warnings)
            continue;
        vg_json_open(json, NULL, '{');
        vg_json_string(json, "place", issue->place);
        vg_json_string(json, "sentence", issue->sentence);
        vg_json_close(json, '}');
    }
    vg_json_close(json, ']');
}

void vg_checks_json(const struct vg_call *call, const struct vg_check *checks, size_t count,
                    const struct vg_verify_result *result, struct vg_text *out)
{
    struct vg_json json;
    bool passed = true;

    vg_json_init(&json, out);
    vg_json_open(&json, NULL, '{');
    vg_json_open(&json, "checks", '[');
    for (size_t i = 0; i < count; i++) {
        vg_json_open(&json, NULL, '{');
        write_issues(&json, "faults", call, &checks[i], false);
        vg_json_string(&json, "name", checks[i].name);
        vg_json_bool(&json, "passed", checks[i].rc == VG_OK);
        write_issues(&json, "warnings", call, &checks[i], true);
        vg_json_close(&json, '}');
        passed = passed && checks[i].rc == VG_OK;
    }
    vg_json_close(&json, ']');
    vg_json_integer(&json, "files", (int64_t)result->files);
    vg_json_integer(&json, "items", (int64_t)result->items);
    vg_json_bool(&json, "passed", passed);
    vg_json_string(&json, "release", call->operands[0]);
    vg_json_string(&json, "release_id", result->release_id[0] != '\0' ? result->release_id : NULL);
    vg_json_integer(&json, "shards", (int64_t)result->shards);
    vg_json_close(&json, '}');
    vg_text_add_char(out, '\n');
}

/* ---- JUnit
 * --------------------------------------------------------------------------------------------------- */

/* Text of XML 1.0, which has no way to write most control characters. */
static void add_xml(struct vg_text *out, const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        switch (*c) {
        case '&':
            vg_text_add(out, "&amp;");
            break;
        case '<':
            vg_text_add(out, "&lt;");
            break;
        case '>':
            vg_text_add(out, "&gt;");
            break;
        case '"':
            vg_text_add(out, "&quot;");
            break;
        default:
            vg_text_add_char(out, (unsigned char)*c < ' ' && *c != '\n' && *c != '\t' ? '?' : *c);
        }
}

static void add_case(struct vg_text *out, const struct vg_call *call, const struct vg_check *check)
{
    const char *element = check->rc == VG_NO ? "failure" : "error";
    size_t faults = 0;

    for (size_t i = check->first; i < check->first + check->count; i++)
        faults += call->err.issues[i].code != VG_OK;
    vg_text_add(out, "    <testcase classname=\"vocalgrad.verify\" name=\"");
    add_xml(out, check->name);
    vg_text_add(out, "\">\n");
    if (check->rc != VG_OK) {
        vg_text_addf(out, "      <%s message=\"%zu faults\">", element, faults);
        for (size_t i = check->first; i < check->first + check->count; i++) {
            if (call->err.issues[i].code == VG_OK)
                continue;
            add_xml(out, call->err.issues[i].place);
            vg_text_add(out, ": ");
            add_xml(out, call->err.issues[i].sentence);
            vg_text_add_char(out, '\n');
        }
        vg_text_addf(out, "</%s>\n", element);
    }
    vg_text_add(out, "    </testcase>\n");
}

int vg_checks_junit(struct vg_call *call, const struct vg_check *checks, size_t count, const char *path)
{
    struct vg_text out = {0};
    size_t failures = 0, errors = 0;
    int rc;

    for (size_t i = 0; i < count; i++) {
        failures += checks[i].rc == VG_NO;
        errors += checks[i].rc != VG_NO && checks[i].rc != VG_OK;
    }
    vg_text_addf(&out,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"%zu\" failures=\"%zu\" "
                 "errors=\"%zu\">\n  <testsuite name=\"",
                 count, failures, errors);
    add_xml(&out, call->operands[0]);
    vg_text_addf(&out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n", count, failures, errors);
    for (size_t i = 0; i < count; i++)
        add_case(&out, call, &checks[i]);
    vg_text_add(&out, "  </testsuite>\n</testsuites>\n");
    rc = vg_file_put(path, out.data, out.length, &call->err);
    vg_text_release(&out);
    return rc;
}
