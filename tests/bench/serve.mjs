// SPDX-License-Identifier: MIT
// serve.mjs RELEASE: how soon the list of a large release is there, and whether scrolling leaves holes, in a real
// Chromium.  Prints figures; run by ci/bench-serve.
import { performance } from 'node:perf_hooks';
import { browse, expect, finish, serve } from '../browser/lib.mjs';

const release = process.argv[2];
const figures = {};
const since = (started) => Math.round(performance.now() - started);
const ready = (page) => page.waitForFunction(() => document.querySelectorAll('.item:not(.empty)').length > 5, null, { polling: 'raf' });

// Cold: from the start of the program to the first rows in the page, the manifest still being read.
let started = performance.now();
const server = await serve([release]);
figures['program started, address printed, ms'] = since(started);
started = performance.now();
const page = await browse(server.url);
await ready(page);
figures['first list while the manifest is being read, with the start of Chromium, ms'] = since(started);
started = performance.now();
await page.reload();
await ready(page);
figures['first list while the manifest is being read, ms'] = since(started);
await page.waitForFunction(() => /^[\d,]+ items$/.test(document.getElementById('status').textContent), null, { timeout: 300000 });
figures['items'] = await page.evaluate(() => document.getElementById('status').textContent);

expect('the list is whole', !figures.items.includes('so far'), figures.items);

// Warm.
const loads = [];
for (let i = 0; i < 9; i += 1) {
  started = performance.now();
  await page.reload();
  await ready(page);
  loads.push(since(started));
}
figures['first list, median of 9 reloads, ms'] = loads.sort((a, b) => a - b)[4];
const asked = await page.evaluate(async () => {
  const times = async (address) => {
    const all = [];
    for (let i = 0; i < 21; i += 1) {
      const from = performance.now();
      await (await fetch(`${address}&first=${i * 5000}`)).json();
      all.push(performance.now() - from);
    }
    all.sort((a, b) => a - b);
    return [all[10], all[20]].map((ms) => Math.round(ms * 10) / 10);
  };
  return { page: await times('/api/items?count=100'), filter: await times('/api/items?count=100&category=echo&facets=1'),
    words: await times('/api/items?count=100&q=s00+down&facets=1') };
});
figures['a page of 100 rows, ms (median, most)'] = asked.page;
figures['a page of a filter with counts, ms (median, most)'] = asked.filter;
figures['a page of a search with counts, ms (median, most)'] = asked.words;

// Scrolling by the wheel's steps, then by jumps: frames, and frames with a row that is not there yet.
const scrolled = async (step, steps) => page.evaluate(async ([by, times]) => {
  const grid = document.getElementById('grid');
  const height = grid.getBoundingClientRect();
  let frames = 0;
  let holes = 0;
  let longest = 0;
  grid.scrollTop = 0;
  await new Promise((resolve) => { setTimeout(resolve, 500); });
  let last = performance.now();
  for (let i = 0; i < times; i += 1) {
    grid.scrollTop += by;
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    longest = Math.max(longest, (now - last) / 2);
    last = now;
    frames += 1;
    const seen = [...document.querySelectorAll('.item')].filter((row) => {
      const box = row.getBoundingClientRect();
      return box.bottom > height.top + 1 && box.top < height.bottom - 1;
    });
    const filled = seen.filter((row) => !row.classList.contains('empty'));
    const needed = Math.floor(height.height / seen[0]?.getBoundingClientRect().height || 1);
    if (filled.length < needed) holes += 1;
  }
  return { steps: frames, 'with a hole': holes, 'longest frame, ms': Math.round(longest) };
}, [step, steps]);
figures['scrolling 3 rows a step'] = await scrolled(120, 400);
figures['scrolling a page a step'] = await scrolled(480, 300);
// Jumps far beyond what was fetched: until every row in sight is there.
const jumps = [];
for (let i = 1; i <= 9; i += 1) {
  started = performance.now();
  await page.evaluate((top) => { document.getElementById('grid').scrollTop = top; }, i * 400000);
  await page.waitForFunction((row) => {
    const seen = [...document.querySelectorAll('.item')];
    return seen.some((e) => e.id === `row-${row}`) && seen.every((e) => !e.classList.contains('empty'));
  }, i * 10000, { polling: 'raf' });
  jumps.push(since(started));
}
figures['a jump of 10,000 rows until all rows are there, median and most of 9, ms'] = [jumps.sort((a, b) => a - b)[4], jumps[8]];
for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`);
await finish();
