/* SPDX-License-Identifier: MIT */
/* Files that are cut off, damaged, lying, or no sound at all: each is refused by name with its reason, or
 * read right with a remark.  None is shortened in silence. */
#include "fixture.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dsp.h"

enum { FRAMES = 48000 };

/* Bytes to alter. */
struct bytes {
    unsigned char *at;
    size_t count;
};

static struct bytes recording(struct fixture *f, int format)
{
    double *x = vg_arena_take(&f->arena, FRAMES, sizeof *x);
    struct bytes b;

    for (size_t k = 0; k < FRAMES; k++)
        x[k] = 0.5 * vg_sin(0.02 * (double)k) + 0.3 * vg_sin(0.11 * (double)k);
    b.at = fixture_get(f, fixture_sound(f, "base", format, 48000, 1, x, FRAMES), &b.count);
    return b;
}

static struct bytes joined(struct fixture *f, struct bytes a, struct bytes b)
{
    struct bytes both = {vg_arena_take(&f->arena, a.count + b.count, 1), a.count + b.count};

    memcpy(both.at, a.at, a.count);
    memcpy(both.at + a.count, b.at, b.count);
    return both;
}

static struct bytes literal(struct fixture *f, const char *text, size_t count)
{
    struct bytes b = {(unsigned char *)vg_arena_text_part(&f->arena, text, count), count};

    return b;
}

static void refused(struct fixture *f, const char *name, struct bytes b, const char *part)
{
    struct vg_loaded loaded;
    char *path = fixture_put(f, name, b.at, b.count);
    int rc = fixture_decode(f, path, true, &loaded);

    if (rc != VG_SOURCE)
        fail_msg("%s with %zu bytes was not refused; expected: %s", name, b.count, part);
    expect_fault(f, VG_SOURCE, "table.csv:7", name, part);
}

static void accepted(struct fixture *f, const char *name, struct bytes b, size_t frames, const char *note)
{
    struct vg_loaded loaded;
    char *path = fixture_put(f, name, b.at, b.count);

    if (fixture_decode(f, path, true, &loaded) != VG_OK)
        fail_msg("%s: %s", name, f->err.issues[0].sentence);
    assert_int_equal(loaded.clip.frames, frames);
    assert_string_equal(loaded.facts.note, note);
}

static void set32(struct bytes b, size_t at, uint32_t value)
{
    for (size_t i = 0; i < 4; i++)
        b.at[at + i] = (unsigned char)(value >> 8 * i);
}

static void what_is_no_sound_is_named(void **state)
{
    static const struct {
        const char *name, *text, *part;
    } cases[] = {
        {"page.mp3", "<!DOCTYPE html><html><head><title>403 Forbidden</title></head></html>\n",
         "is a web page"},
        {"error.mp3", "\n <?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>",
         "is a web page or XML"},
        {"pointer.wav", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n",
         "Git LFS pointer"},
        {"note.wav", "quota exceeded, try again tomorrow, thank you very much for your patience",
         "is text, not sound"},
        {"a.aiff", "FORM\0\0\0\0AIFF", "is text, not sound"},
        {"short.mp3", "\xff\xfb", "neither WAV, FLAC, Ogg nor MP3"},
        {"bytes.mp3", "\x93\x7f\x01\xee\x93\x7f\x01\xee\x93\x7f\x01\xee\x93\x7f\x01\xee",
         "neither WAV, FLAC"},
        {"a.mp4", "....ftypisom\x01....", "is MP4"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, "a.aiff") == 0)
            refused(f, cases[i].name, literal(f, "FORM\0\0\0\0AIFF", 12), "is AIFF; convert it");
        else
            refused(f, cases[i].name, literal(f, cases[i].text, strlen(cases[i].text)), cases[i].part);
    refused(f, "empty.wav", literal(f, "", 0), "is empty (0 bytes)");
}

static void what_is_no_regular_file_is_refused(void **state)
{
    struct fixture *f = *state;
    struct vg_loaded loaded;
    char *fifo = fixture_path(f, "fifo.mp3");

    assert_int_equal(fixture_decode(f, fixture_path(f, "gone.wav"), false, &loaded), VG_SOURCE);
    expect_fault(f, VG_SOURCE, "table.csv:7", "cannot open", "gone.wav");
    assert_int_equal(fixture_decode(f, f->folder, false, &loaded), VG_SOURCE);
    expect_fault(f, VG_SOURCE, "table.csv:7", f->folder, "is not a regular file");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(fixture_decode(f, fifo, false, &loaded), VG_SOURCE);
    expect_fault(f, VG_SOURCE, "table.csv:7", "fifo.mp3", "is not a regular file");
    assert_int_equal(fixture_decode(f, "/dev/zero", false, &loaded), VG_SOURCE);
    expect_fault(f, VG_SOURCE, "table.csv:7", "/dev/zero", "is not a regular file");
}

static void wav_sizes_are_held_against_the_file(void **state)
{
    struct fixture *f = *state;
    struct bytes b = recording(f, SF_FORMAT_WAV | SF_FORMAT_PCM_16);
    uint32_t whole = 2 * FRAMES;

    assert_memory_equal(b.at + 36, "data", 4);
    accepted(f, "a.wav", b, FRAMES, "");
    set32(b, 4, 0);
    accepted(f, "riff_zero.wav", b, FRAMES, "");
    set32(b, 40, 0xffffffff);
    accepted(f, "open.wav", b, FRAMES, "streamed WAV header, length from the file");
    set32(b, 40, 0x7ffff000);
    accepted(f, "sox.wav", b, FRAMES, "streamed WAV header, length from the file");
    set32(b, 40, 0);
    refused(f, "zero.wav", b, "the recording was not closed");
    set32(b, 40, whole / 2);
    accepted(f, "trailing.wav", b, FRAMES / 2, "");
    set32(b, 40, whole + 2);
    refused(f, "beyond.wav", b, "says 96002 bytes of samples, the file holds 96000");
    set32(b, 40, whole);
    refused(f, "half.wav", (struct bytes){b.at, b.count / 2}, "is cut off");
    refused(f, "odd.wav", (struct bytes){b.at, b.count - 1}, "is cut off");
    refused(f, "header.wav", (struct bytes){b.at, 44}, "has a WAV header and no samples");
    refused(f, "fmt.wav", (struct bytes){b.at, 20}, "the fmt chunk has 0 bytes");
    refused(f, "eight.wav", (struct bytes){b.at, 8}, "is RIFF without WAVE");
}

static void wav_headers_must_make_sense(void **state)
{
    static const struct {
        size_t at, count;
        const char *bytes, *part;
    } cases[] = {
        {8, 4, "AVI ", "is RIFF without WAVE"},
        {22, 2, "\0\0", "says 0 channels"},
        {24, 4, "\0\0\0\0", "1 channels, 0 Hz"},
        {24, 4, "\xff\xff\xff\xff", "1 channels, 4294967295 Hz"},
        {24, 4, "\xa0\x0f\0\0", "has 4000 samples a second"},
        {32, 2, "\0\0", "0 bytes a frame"},
        {12, 4, "junk", "has no fmt chunk before the samples"},
        {36, 4, "dada", "has no data chunk"},
        {20, 2, "\x99\x99", ""},
    };
    struct fixture *f = *state;
    struct bytes base = recording(f, SF_FORMAT_WAV | SF_FORMAT_PCM_16);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bytes b = joined(f, base, literal(f, "", 0));

        memcpy(b.at + cases[i].at, cases[i].bytes, cases[i].count);
        refused(f, "bad.wav", b, cases[i].part);
    }
}

static void rf64_has_its_size_elsewhere(void **state)
{
    struct fixture *f = *state;
    struct bytes b = recording(f, SF_FORMAT_RF64 | SF_FORMAT_PCM_16);

    assert_memory_equal(b.at, "RF64", 4);
    accepted(f, "a.wav", b, FRAMES, "");
    refused(f, "half.wav", (struct bytes){b.at, b.count / 2}, "is cut off");
}

/* A file of so many bytes that are not there (a sparse one), after these first ones. */
static char *sparse(struct fixture *f, const char *name, struct bytes head, off_t count)
{
    char *path = fixture_put(f, name, head.at, head.count);

    assert_int_equal(truncate(path, count), 0);
    return path;
}

static void gigabytes_are_measured_and_not_believed(void **state)
{
    static const off_t giga = 1 << 30;
    struct fixture *f = *state;
    struct bytes plain = recording(f, SF_FORMAT_WAV | SF_FORMAT_PCM_16);
    struct bytes big = recording(f, SF_FORMAT_RF64 | SF_FORMAT_PCM_16);
    struct vg_loaded loaded;

    plain.count = 44;
    set32(plain, 40, 0xa0000000); /* 2.5 GiB: too much for a signed size */
    assert_int_equal(fixture_decode(f, sparse(f, "two.wav", plain, 44 + 5 * giga / 2), false, &loaded),
                     VG_SOURCE);
    expect_fault(f, VG_SOURCE, "table.csv:7", "two.wav: is longer than 600 seconds", "");
    assert_int_equal(fixture_decode(f, sparse(f, "lie.wav", plain, 44 + giga), false, &loaded), VG_SOURCE);
    expect_fault(f, VG_SOURCE, "table.csv:7", "says 2684354560 bytes of samples, the file holds 1073741824",
                 "");
    set32(plain, 40, 0xffffffff);
    assert_int_equal(fixture_decode(f, sparse(f, "open.wav", plain, 44 + 5 * giga), false, &loaded),
                     VG_SOURCE);
    expect_fault(f, VG_SOURCE, "table.csv:7", "open.wav: is longer than 600 seconds", "");
    assert_memory_equal(big.at + 12, "ds64", 4);
    set32(big, 28, 0x40000000); /* 5 GiB of samples: low and high half */
    set32(big, 32, 1);
    assert_int_equal(fixture_decode(f, sparse(f, "five.wav", big, 6 * giga), false, &loaded), VG_SOURCE);
    expect_fault(f, VG_SOURCE, "table.csv:7", "five.wav: is longer than 600 seconds", "");
    refused(f, "small.wav", big, "says 5368709120 bytes of samples, the file holds");
}

static void a_wall_of_empty_chunks_ends(void **state)
{
    struct fixture *f = *state;
    struct bytes b = {vg_arena_take_zero(&f->arena, 1 << 22, 1), 1 << 22};

    memcpy(b.at, "RIFF\0\0\0\0WAVE", 12);
    refused(f, "chunks.wav", b, "has no fmt chunk");
}

static void flac_is_held_to_its_length_and_md5(void **state)
{
    struct fixture *f = *state;
    struct bytes base = recording(f, SF_FORMAT_FLAC | SF_FORMAT_PCM_16), b;

    accepted(f, "a.flac", base, FRAMES, "");
    refused(f, "half.flac", (struct bytes){base.at, base.count / 2}, "half.flac: ");
    refused(f, "info.flac", (struct bytes){base.at, 30}, "without a whole STREAMINFO");
    b = joined(f, base, literal(f, "", 0));
    b.at[26] ^= 1;
    refused(f, "md5.flac", b, "is damaged: its samples have MD5");
    memset(b.at + 26, 0, 16);
    accepted(f, "no_md5.flac", b, FRAMES, "");
    b.at[21] &= 0xf0;
    memset(b.at + 22, 0, 4);
    accepted(f, "streamed.flac", b, FRAMES, "");
    b = joined(f, base, literal(f, "", 0));
    memset(b.at + b.count - 6000, 'Z', 100);
    refused(f, "corrupt.flac", b, "corrupt.flac: ");
    b = joined(f, base, literal(f, "", 0));
    b.at[b.count - 3000] ^= 0x10;
    refused(f, "bit.flac", b, "bit.flac: ");
    b = joined(f, base, literal(f, "", 0));
    b.at[20] = (unsigned char)((b.at[20] & 0xfe) | 0);
    b.at[21] = (unsigned char)((b.at[21] & 0x0f) | 0xb0);
    refused(f, "bits12.flac", b, "is FLAC of 12 bits; 8, 16 and 24 are read");
}

static void flac_24_bit_is_held_to_its_md5(void **state)
{
    struct fixture *f = *state;
    struct bytes b = recording(f, SF_FORMAT_FLAC | SF_FORMAT_PCM_24);

    accepted(f, "a.flac", b, FRAMES, "");
    b.at[41] ^= 0x80;
    refused(f, "md5.flac", b, "is damaged: its samples have MD5");
    b = recording(f, SF_FORMAT_FLAC | SF_FORMAT_PCM_S8);
    accepted(f, "b.flac", b, FRAMES, "");
    b.at[41] ^= 0x80;
    refused(f, "md5b.flac", b, "is damaged: its samples have MD5");
}

/* Where the last Ogg page begins. */
static size_t last_page(struct bytes b)
{
    size_t at = b.count - 4;

    while (memcmp(b.at + at, "OggS", 4) != 0)
        at--;
    return at;
}

static void ogg_is_walked_page_by_page(void **state)
{
    static const int formats[] = {SF_FORMAT_OGG | SF_FORMAT_VORBIS, SF_FORMAT_OGG | SF_FORMAT_OPUS};
    struct fixture *f = *state;

    for (size_t i = 0; i < 2; i++) {
        struct bytes base = recording(f, formats[i]), b;

        accepted(f, "a.ogg", base, FRAMES, "");
        refused(f, "page.ogg", (struct bytes){base.at, last_page(base)}, "does not say that it is the last");
        refused(f, "half.ogg", (struct bytes){base.at, last_page(base) + 50}, "no whole Ogg page");
        refused(f, "head.ogg", (struct bytes){base.at, 20}, "no whole Ogg page at byte 0");
        b = joined(f, base, literal(f, "", 0));
        b.at[b.count - 100] ^= 4;
        refused(f, "bit.ogg", b, "its checksum does not hold");
        refused(f, "two.ogg", joined(f, base, base), "more than one Ogg stream");
        refused(f, "junk.ogg", joined(f, base, literal(f, "junk", 4)), "no whole Ogg page");
    }
}

static void an_ogg_page_left_out_is_noticed(void **state)
{
    struct fixture *f = *state;
    struct bytes b = recording(f, SF_FORMAT_OGG | SF_FORMAT_VORBIS);
    size_t second = 4, third;

    while (memcmp(b.at + second, "OggS", 4) != 0)
        second++;
    third = second + 4;
    while (memcmp(b.at + third, "OggS", 4) != 0)
        third++;
    refused(f, "hole.ogg",
            joined(f, (struct bytes){b.at, second}, (struct bytes){b.at + third, b.count - third}),
            "an Ogg page is missing");
}

static void mp3_frames_are_counted(void **state)
{
    struct fixture *f = *state;
    struct bytes b = recording(f, SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III), c;
    struct bytes tag = literal(f, "ID3\3\0\0\0\0\0\x16TIT2\0\0\0\x0c\0\0\0a good tune", 32);

    accepted(f, "a.mp3", b, FRAMES, "");
    accepted(f, "tagged.mp3", joined(f, tag, b), FRAMES, "");
    tag.at[6] = 0x7f;
    refused(f, "lying.mp3", joined(f, tag, b), "cut off or broken");
    refused(f, "half.mp3", (struct bytes){b.at, b.count / 2}, "half.mp3: is cut off");
    refused(f, "ten.mp3", (struct bytes){b.at, 10}, "is cut off inside its last MP3 frame, at byte 0");
    refused(f, "twice.mp3", joined(f, b, b), "has sound after its end");
    refused(f, "tail.mp3", joined(f, b, literal(f, "garbage at the end", 18)), "no MP3 frame at byte");
    c = joined(f, b, literal(f, "", 0));
    memset(c.at + c.count / 2, 0xa5, 1000);
    refused(f, "middle.mp3", c, "is damaged: no MP3 frame at byte");
    c = (struct bytes){vg_arena_take_zero(&f->arena, 128, 1), 128};
    memcpy(c.at, "TAGx", 4);
    accepted(f, "v1.mp3", joined(f, b, c), FRAMES, "");
}

static void mp3_that_changes_its_rate_is_refused(void **state)
{
    struct fixture *f = *state;
    struct bytes a = recording(f, SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III), b;
    double *x = vg_arena_take_zero(&f->arena, 2 * FRAMES, sizeof *x);

    b.at = fixture_get(
        f, fixture_sound(f, "b", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 32000, 1, x, FRAMES), &b.count);
    refused(f, "rate.mp3", joined(f, a, b), "changes from 48000 Hz, 1 channels to 32000 Hz, 1 channels");
    b.at = fixture_get(
        f, fixture_sound(f, "b", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 48000, 2, x, FRAMES), &b.count);
    refused(f, "stereo.mp3", joined(f, a, b), "changes from 48000 Hz, 1 channels to 48000 Hz, 2 channels");
}

/* Without the tag in the first frame a decoder can only guess the length of a stream of varying bit rate:
 * what it leaves out must not pass as the whole. */
static void mp3_without_a_tag_is_whole_or_refused(void **state)
{
    struct fixture *f = *state;
    struct bytes b = recording(f, SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III), c;
    size_t second = 4;
    struct vg_loaded loaded;

    while (b.at[second] != 0xff || (b.at[second + 1] & 0xfe) != 0xfa)
        second++;
    c = (struct bytes){b.at + second, b.count - second};
    if (fixture_decode(f, fixture_put(f, "untagged.mp3", c.at, c.count), false, &loaded) == VG_OK) {
        assert_true(loaded.clip.frames >= FRAMES);
        assert_int_equal(loaded.clip.frames % 1152, 0);
        assert_string_equal(loaded.facts.note, "untrimmed MP3");
    } else {
        expect_fault(f, VG_SOURCE, "table.csv:7", "untagged.mp3: decodes to", "cut off or damaged");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_no_sound_is_named, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(what_is_no_regular_file_is_refused, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(wav_sizes_are_held_against_the_file, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(wav_headers_must_make_sense, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(rf64_has_its_size_elsewhere, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(gigabytes_are_measured_and_not_believed, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_wall_of_empty_chunks_ends, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(flac_is_held_to_its_length_and_md5, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(flac_24_bit_is_held_to_its_md5, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(ogg_is_walked_page_by_page, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(an_ogg_page_left_out_is_noticed, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(mp3_frames_are_counted, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(mp3_that_changes_its_rate_is_refused, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(mp3_without_a_tag_is_whole_or_refused, fixture_open, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
