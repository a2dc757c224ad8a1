// SPDX-License-Identifier: MIT
// The report in a real browser: it fetches nothing, fits a phone, unfolds its numbers, and is legible in light and dark.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { browse, build, expect, finish, shoot, top, vocalgrad, work } from './lib.mjs';

const release = build(process.env.VG_REPORT_SPEC ?? join(top, 'tests/command/small.yaml'));
vocalgrad('report', '-q', release, '-o', 'report.html');
const address = pathToFileURL(join(work, 'report.html')).href;

const page = await browse('about:blank');
const asked = [];
page.on('request', (request) => asked.push(request.url()));
await page.goto(address);
expect('nothing but the page is fetched', asked.length === 1 && asked[0] === address, asked);
expect('the title names the release', (await page.title()).startsWith('vocalgrad-small 0.1.0'), await page.title());
await shoot(page, 'report');

// Every contents link leads to its section; a table is folded until it is asked for.
for (const link of await page.locator('nav a').all()) {
  await link.click();
  const id = new URL(page.url()).hash.slice(1);
  expect(`the section ${id}`, await page.locator(`section[id="${id}"] h2`).isVisible());
}
const numbers = page.locator('#labels details');
expect('numbers are folded', !(await numbers.locator('table').first().isVisible()));
await numbers.locator('summary').focus();
await page.keyboard.press('Enter');
expect('the keyboard unfolds them', await numbers.locator('table').first().isVisible());

// With all unfolded the page still fits a phone: tables scroll by themselves.
await page.evaluate(() => document.querySelectorAll('details').forEach((e) => (e.open = true)));
await shoot(page, 'report-open');

// Contrast of all text against what is behind it, as WCAG 2 counts it: 4.5 and more.
const faint = () =>
  page.evaluate(() => {
    const parse = (text) => text.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) => {
      const linear = [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
    const behind = (e) => {
      for (let at = e; at; at = at.parentElement) {
        const colour = parse(getComputedStyle(at).backgroundColor);
        if (colour.length < 4 || colour[3] > 0) return colour;
      }
      return [255, 255, 255];
    };
    const found = new Set();
    for (const e of document.querySelectorAll('p, h1, h2, h3, h4, a, code, pre, td, th, dt, dd, li, summary, caption, figcaption')) {
      const r = ratio(parse(getComputedStyle(e).color), behind(e));
      if (e.textContent.trim() && r < 4.5) found.add(`${e.tagName} ${e.className} ${r.toFixed(2)}`);
    }
    for (const e of document.querySelectorAll('svg text')) {
      const rect = e.parentElement.tagName === 'g' ? e.parentElement.querySelector('rect') : null;
      const r = ratio(parse(getComputedStyle(e).fill), rect ? parse(getComputedStyle(rect).fill) : behind(e.closest('div')));
      if (r < 4.5) found.add(`${e.getAttribute('class')} on ${rect?.getAttribute('class')} ${r.toFixed(2)}`);
    }
    // Lines, dots and bars that carry meaning: 3 and more.
    for (const e of document.querySelectorAll('.line, .asked, .dot, .bar, rect.chance, .zero, .jnd, .margin')) {
      const style = getComputedStyle(e);
      const r = ratio(parse(e.matches('.dot, .bar') ? style.fill : style.stroke), behind(e.closest('div')));
      if (r < 3) found.add(`${e.getAttribute('class')} ${r.toFixed(2)}`);
    }
    return [...found];
  });
for (const colorScheme of ['light', 'dark']) {
  await page.emulateMedia({ colorScheme });
  expect(`contrast, ${colorScheme}`, (await faint()).length === 0, await faint());
}
await finish();
