/* SPDX-License-Identifier: MIT */
/* What `verify` found, for machines: JSON, and the XML that CI systems read as JUnit's. */
#include "checks.h"
#include "oracle.h"

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

/* The keys of a release, or of a published table. */
static void write_subject(struct vg_json *json, const struct vg_checked *checked)
{
    const struct vg_verify_result *result = checked->result;

    vg_json_string(json, "release", checked->subject);
    vg_json_string(json, "release_id", result->release_id[0] != '\0' ? result->release_id : NULL);
    if (checked->oracle != NULL)
        vg_oracle_json(checked->oracle, "report", json);
    vg_json_integer(json, "shards", (int64_t)result->shards);
}

static void write_foreign(struct vg_json *json, const struct vg_checked *checked)
{
    const struct vg_foreign *foreign = checked->foreign;

    if (checked->oracle != NULL)
        vg_oracle_json(checked->oracle, "report", json);
    vg_json_integer(json, "rows_at_fault", (int64_t)foreign->unheard);
    vg_json_bool(json, "sources", foreign->has_sources);
    vg_json_string(json, "table", checked->subject);
    vg_json_integer(json, "twins", (int64_t)foreign->twins);
    vg_json_open(json, "verdicts", '{');
    vg_json_integer(json, "below_jnd", (int64_t)foreign->below_jnd);
    vg_json_integer(json, "blind_opposed", (int64_t)foreign->blind_opposed);
    vg_json_integer(json, "confirmed", (int64_t)foreign->verdicts[VG_CONFIRMED]);
    vg_json_integer(json, "no_change", (int64_t)foreign->verdicts[VG_NO_CHANGE]);
    vg_json_integer(json, "opposed", (int64_t)foreign->verdicts[VG_OPPOSED]);
    vg_json_integer(json, "undecided", (int64_t)foreign->verdicts[VG_UNDECIDED]);
    vg_json_close(json, '}');
}

void vg_checks_json(const struct vg_call *call, const struct vg_checked *checked, struct vg_text *out)
{
    struct vg_json json;
    bool passed = true;

    vg_json_init(&json, out);
    vg_json_open(&json, NULL, '{');
    vg_json_open(&json, "checks", '[');
    for (size_t i = 0; i < checked->count; i++) {
        const struct vg_check *check = &checked->checks[i];

        vg_json_open(&json, NULL, '{');
        write_issues(&json, "faults", call, check, false);
        vg_json_string(&json, "name", check->name);
        vg_json_bool(&json, "passed", check->rc == VG_OK);
        write_issues(&json, "warnings", call, check, true);
        vg_json_close(&json, '}');
        passed = passed && check->rc == VG_OK;
    }
    vg_json_close(&json, ']');
    if (checked->foreign == NULL)
        vg_json_integer(&json, "files", (int64_t)checked->result->files);
    vg_json_integer(&json, "items",
                    (int64_t)(checked->foreign != NULL ? checked->foreign->items : checked->result->items));
    vg_json_bool(&json, "passed", passed);
    if (checked->foreign == NULL)
        write_subject(&json, checked);
    else
        write_foreign(&json, checked);
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

int vg_checks_junit(struct vg_call *call, const struct vg_checked *checked, const char *path)
{
    const struct vg_check *checks = checked->checks;
    size_t count = checked->count;
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
    add_xml(&out, checked->subject);
    vg_text_addf(&out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n", count, failures, errors);
    for (size_t i = 0; i < count; i++)
        add_case(&out, call, &checks[i]);
    vg_text_add(&out, "  </testsuite>\n</testsuites>\n");
    rc = vg_file_put(path, out.data, out.length, &call->err);
    vg_text_release(&out);
    return rc;
}
