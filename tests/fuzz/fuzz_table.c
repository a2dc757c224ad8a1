/* SPDX-License-Identifier: MIT */
/* Any bytes as a table: CSV, TSV or JSON lines by the first of them.  What was read and is written again as
 * CSV reads as the same. */
#include "fuzz.h"

#include "jsonl.h"

static void write_again(const struct vg_table *table, struct vg_text *out)
{
    for (size_t c = 0; c < table->column_count; c++) {
        vg_text_add(out, c > 0 ? "," : "");
        vg_text_add_csv(out, table->columns[c]);
    }
    vg_text_add_char(out, '\n');
    for (size_t r = 0; r < table->row_count; r++)
        for (size_t c = 0; c < table->column_count; c++) {
            vg_text_add_csv(out, table->rows[r][c]);
            vg_text_add(out, c + 1 < table->column_count ? "," : "\n");
        }
}

static void check_again(const struct vg_table *table, struct vg_arena *arena)
{
    struct vg_error err = {0};
    struct vg_table again;
    struct vg_text text = {0};

    write_again(table, &text);
    vg_check(vg_table_parse(&again, "again.csv", text.data, text.length, true, ',', arena, VG_SOURCE, &err) ==
             VG_OK);
    vg_check(again.column_count == table->column_count && again.row_count == table->row_count);
    for (size_t r = 0; r < table->row_count; r++)
        for (size_t c = 0; c < table->column_count; c++)
            vg_check(strcmp(again.rows[r][c], table->rows[r][c]) == 0);
    vg_text_release(&text);
    vg_error_release(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct vg_arena arena = {0};
    struct vg_error err = {0};
    struct vg_table table = {0};
    size_t count = size > 0 ? size - 1 : 0;
    char *bytes = vg_arena_text_part(&arena, size > 0 ? (const char *)data + 1 : "", count);
    int rc;

    if (size > 0 && data[0] % 3 == 2)
        rc = vg_jsonl_parse(&table, "t.jsonl", bytes, count, &arena, VG_SOURCE, &err);
    else
        rc = vg_table_parse(&table, "t", bytes, count, size == 0 || data[0] % 3 == 0,
                            size == 0 || data[0] % 3 == 0 ? ',' : '\t', &arena, VG_SOURCE, &err);
    if (rc == VG_OK && table.column_count > 1) /* a line with one empty field is a blank one */
        check_again(&table, &arena);
    fuzz_expect(rc, &err);
    vg_arena_release(&arena);
    return 0;
}
