/* SPDX-License-Identifier: MIT */
/* Escaping, numbers, tables and figures.  Foreign text passes through vg_html_text and through nothing else.
 */
#include "html.h"

#include <string.h>

/* ---- words and numbers --------------------------------------------------------------------------------- */

/* Bytes of the sequence at `s` (the text is UTF-8) and the character; what is broken counts as one byte. */
static size_t character_at(const unsigned char *s, uint32_t *character)
{
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

    *character = length == 1 ? s[0] : s[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            *character = 0;
            return 1;
        }
        *character = *character << 6 | (s[i] & 0x3fu);
    }
    return length;
}

static bool is_shown(uint32_t c)
{
    bool control = (c < ' ' && c != '\t' && c != '\n') || (c >= 0x7f && c < 0xa0);
    bool turning = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f;

    return !control && !turning && (c & 0xfffe) != 0xfffe && !(c >= 0xfdd0 && c <= 0xfdef);
}

void vg_html_text(struct vg_text *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    while (*s != '\0') {
        uint32_t c;
        size_t length = character_at(s, &c);
        const char *entity = c == '&'    ? "&amp;"
                             : c == '<'  ? "&lt;"
                             : c == '>'  ? "&gt;"
                             : c == '"'  ? "&quot;"
                             : c == '\'' ? "&#39;"
                                         : NULL;

        if (entity != NULL)
            vg_text_add(out, entity);
        else if (is_shown(c))
            vg_text_add_part(out, (const char *)s, length);
        else
            vg_text_add(out, "\xef\xbf\xbd");
        s += length;
    }
}

void vg_html_count(struct vg_text *out, size_t count)
{
    if (count < 1000) {
        vg_text_addf(out, "%zu", count);
        return;
    }
    vg_html_count(out, count / 1000);
    vg_text_addf(out, ",%03zu", count % 1000);
}

void vg_html_number(struct vg_text *out, double value, int decimals)
{
    struct vg_text digits = {0};

    if (!isfinite(value)) {
        vg_text_add(out, "\xe2\x80\x93");
        return;
    }
    vg_text_add_fixed(&digits, fabs(value), decimals);
    if (value < 0 && strspn(digits.data, "0.") < digits.length)
        vg_text_add(out, "\xe2\x88\x92");
    vg_text_add(out, digits.data);
    vg_text_release(&digits);
}

void vg_html_percent(struct vg_text *out, size_t part, size_t whole, int decimals)
{
    vg_html_number(out, whole > 0 ? 100 * (double)part / (double)whole : NAN, decimals);
    vg_text_add(out, whole > 0 ? "\xc2\xa0%" : "");
}

/* ---- tables -------------------------------------------------------------------------------------------- */

void vg_html_table_open(struct vg_text *out, const char *caption, const char *const *columns, size_t count,
                        size_t words)
{
    vg_text_add(out, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"");
    vg_html_text(out, caption);
    vg_text_add(out, "\"><table><caption>");
    vg_html_text(out, caption);
    vg_text_add(out, "</caption>\n<thead><tr>");
    for (size_t i = 0; i < count; i++) {
        vg_text_add(out, i < words ? "<th scope=\"col\" class=\"w\">" : "<th scope=\"col\">");
        vg_html_text(out, columns[i]);
        vg_text_add(out, "</th>");
    }
    vg_text_add(out, "</tr></thead>\n<tbody>\n");
}

void vg_html_row_open(struct vg_text *out, const char *name)
{
    vg_text_add(out, "<tr><th scope=\"row\">");
    vg_html_text(out, name);
    vg_text_add(out, "</th>");
}

void vg_html_cell_text(struct vg_text *out, const char *text)
{
    vg_text_add(out, "<td class=\"w\">");
    vg_html_text(out, text);
    vg_text_add(out, "</td>");
}

void vg_html_cell_right(struct vg_text *out, const char *text)
{
    vg_text_add(out, "<td>");
    vg_html_text(out, text);
    vg_text_add(out, "</td>");
}

void vg_html_cell_count(struct vg_text *out, size_t count)
{
    vg_text_add(out, "<td>");
    vg_html_count(out, count);
    vg_text_add(out, "</td>");
}

void vg_html_cell_number(struct vg_text *out, double value, int decimals)
{
    vg_text_add(out, "<td>");
    vg_html_number(out, value, decimals);
    vg_text_add(out, "</td>");
}

void vg_html_cell_percent(struct vg_text *out, size_t part, size_t whole, int decimals)
{
    vg_text_add(out, "<td>");
    vg_html_percent(out, part, whole, decimals);
    vg_text_add(out, "</td>");
}

void vg_html_row_close(struct vg_text *out)
{
    vg_text_add(out, "</tr>\n");
}

void vg_html_table_close(struct vg_text *out)
{
    vg_text_add(out, "</tbody></table></div>\n");
}

/* ---- figures ------------------------------------------------------------------------------------------- */

void vg_html_figure_open(struct vg_text *out, const char *id, const char *title)
{
    vg_text_add(out, "<figure aria-labelledby=\"");
    vg_html_text(out, id);
    vg_text_add(out, "\"><h3 id=\"");
    vg_html_text(out, id);
    vg_text_add(out, "\">");
    vg_html_text(out, title);
    vg_text_add(out, "</h3>\n");
}

void vg_html_figure_caption(struct vg_text *out, const char *caption, const char *command)
{
    vg_text_addf(out, "<figcaption><p>%s</p>\n<p class=\"how\"><span>Made by</span> <code>", caption);
    vg_html_text(out, command);
    vg_text_add(out, "</code></p>\n<details><summary>The numbers</summary>\n");
}

void vg_html_figure_close(struct vg_text *out)
{
    vg_text_add(out, "</details></figcaption></figure>\n");
}

void vg_html_panels_open(struct vg_text *out, int across)
{
    if (across > 0)
        vg_text_addf(out, "<div class=\"panels small\" style=\"--across:%d\">\n", across);
    else
        vg_text_addf(out, "<div class=\"panels%s\">\n", across == VG_PANELS_PAIRED ? " paired" : "");
}

void vg_html_panel_open(struct vg_text *out, const char *name, const char *note)
{
    vg_text_add(out, "<div class=\"panel\"><h4>");
    vg_html_text(out, name);
    vg_text_add(out, "</h4>");
    if (note != NULL) {
        vg_text_add(out, "<p class=\"note\">");
        vg_html_text(out, note);
        vg_text_add(out, "</p>");
    }
}

void vg_html_panel_close(struct vg_text *out)
{
    vg_text_add(out, "</div>\n");
}

void vg_html_panels_close(struct vg_text *out)
{
    vg_text_add(out, "</div>\n");
}

void vg_html_key(struct vg_text *out, const char *const *pairs)
{
    vg_text_add(out, "<ul class=\"key\">");
    for (size_t i = 0; pairs[i] != NULL; i += 2)
        vg_text_addf(out, "<li><span class=\"swatch %s\"></span>%s</li>", pairs[i], pairs[i + 1]);
    vg_text_add(out, "</ul>\n");
}
