/* SPDX-License-Identifier: MIT */
/* Any bytes as the JSON that a release or a source pack is read from: a row of the manifest, release.json,
 * the description of a packed source, by the first of them. */
#include "fuzz.h"

#include "pack.h"
#include "packed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *line = size > 0 ? (const char *)data + 1 : "";
    size_t length = size > 0 ? size - 1 : 0;
    struct vg_arena arena = {0};
    struct vg_error err = {0};
    struct vg_record record;
    struct vg_packed packed;
    struct vg_about about;
    int rc;

    switch (size > 0 ? data[0] % 3 : 0) {
    case 0:
        rc = vg_record_parse(&record, line, length, &arena, "manifest.jsonl:1", &err);
        break;
    case 1:
        rc = vg_packed_parse(&packed, line, length, &arena, "a.tar: source-000001.json", &err);
        break;
    default:
        rc = vg_about_read(&about, vg_path_folder(&arena, fuzz_file("release.json", line, length)), &arena,
                           &err);
        break;
    }
    fuzz_expect(rc, &err);
    vg_arena_release(&arena);
    return 0;
}
