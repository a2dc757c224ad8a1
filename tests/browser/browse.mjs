// SPDX-License-Identifier: MIT
// The browser of a release: filters in the address, the list by keyboard, an item that is played to its end beside its
// source, the next item, and pages as they look.
import { accessible, browse, build, expect, finish, serve, shoot, top } from './lib.mjs';

const release = build(`${top}/tests/command/small.yaml`, '--only', 'split=beep');
const server = await serve([release]);
const page = await browse(server.url);
const text = (id) => page.textContent(`#${id}`);
const status = (pattern) =>
  page.waitForFunction((source) => new RegExp(source).test(document.getElementById('status').textContent), pattern);
const row = (number) => page.waitForSelector(`#row-${number}:not(.empty)`);

// ---- the list -------------------------------------------------------------------------------------------------

await status('^96 items$');
await row(0);
expect('the release is named', (await text('name')) === 'vocalgrad-small 0.1.0+' || (await text('name')).startsWith('vocalgrad-small'), await text('name'));
await accessible(page, 'list');
await shoot(page, 'list');

await page.selectOption('#category', 'background_noise');
await status('^48 items of 96$');
await page.selectOption('#tier', 'high');
await page.selectOption('#direction', 'down');
await status('^8 items of 96$');
expect('filters are in the address', page.url().endsWith('/?category=background_noise&tier=high&direction=down'), page.url());
expect('each value says how many', (await text('curve')).includes('jump (2)'), await text('curve'));
await page.reload();
await status('^8 items of 96$');
expect('filters survive a reload', (await page.inputValue('#tier')) === 'high');
await page.fill('#q', 'JUMP beep_01');
await status('^1 item of 96$');
await page.fill('#q', 'nothing of the kind');
await status('^0 items of 96$');
await page.keyboard.press('Escape');
await status('^96 items$');
expect('Esc shows all', new URL(page.url()).search === '');
await page.keyboard.press('/');
expect('/ goes to the search', await page.evaluate(() => document.activeElement.id === 'q'));
await page.fill('#source', 'beep_02');
await status('^48 items of 96$');
await page.click('#clear');
await status('^96 items$');

await page.focus('#grid');
await page.keyboard.press('End');
await row(95);
expect('End goes to the last', (await page.getAttribute('#grid', 'aria-activedescendant')) === 'row-95');
expect('the last is in sight', await page.evaluate(() => {
  const box = document.getElementById('row-95').getBoundingClientRect();
  const grid = document.getElementById('grid').getBoundingClientRect();
  return box.bottom <= grid.bottom + 2 && box.top >= grid.top;
}));
expect('few rows are in the page', (await page.locator('.item').count()) < 60);
await page.keyboard.press('Home');
await page.keyboard.press('ArrowDown');
await page.keyboard.press('ArrowDown');
expect('arrows move', (await page.getAttribute('#grid', 'aria-activedescendant')) === 'row-2');

// ---- an item --------------------------------------------------------------------------------------------------

await page.selectOption('#category', 'volume');
await page.selectOption('#tier', 'high');
await status('^16 items of 96$');
await row(0);
await page.focus('#grid');
await page.keyboard.press('Enter');
await page.waitForURL(/\/item\//);
await status('^Ready');
expect('the item says where it stands', (await text('place')) === '1 of 16 filtered', await text('place'));
expect('filters go along', page.url().endsWith('?category=volume&tier=high'), page.url());
expect('its label is shown', (await text('question')).includes('increase'));
expect('its digests are shown', /[0-9a-f]{32}/.test(await text('digests')));
expect('what was asked and measured is drawn', (await page.locator('#course path.asked, #course path.measured').count()) === 2);
expect('all three can be played', (await page.locator('audio[src]').count()) === 3);
expect('nothing is wrong with the sounds', (await page.locator('.panel .bad').count()) === 0);
expect('spectrograms are drawn', await page.evaluate(() => [...document.querySelectorAll('canvas')].every((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4) colours.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
  return canvas.width > 100 && colours.size > 20;
})));
await accessible(page, 'item');
await shoot(page, 'item');

const sound = (name) => page.evaluate((label) => {
  const audio = document.querySelector(`audio[aria-label="Sound of ${label}"]`);
  return { time: audio.currentTime, paused: audio.paused, ended: audio.ended, length: audio.duration };
}, name);
const ended = (name) => page.waitForFunction((label) => document.querySelector(`audio[aria-label="Sound of ${label}"]`).ended, name);

await page.keyboard.press('Space');
await page.waitForFunction(() => !document.querySelector('audio[aria-label="Sound of B: item"]').paused);
await ended('B: item');
expect('Space plays the item to its end', (await sound('B: item')).ended);
await page.keyboard.press('r');
await page.waitForFunction(() => document.querySelector('audio[aria-label="Sound of B: item"]').currentTime > 0.3);
await page.keyboard.press('x');
await page.waitForFunction(() => !document.querySelector('audio[aria-label="Sound of A: source"]').paused);
const source = await sound('A: source');
expect('X goes on in the source at the same place', source.time >= 0.3 && (await sound('B: item')).paused, source);
expect('the switch says where it is', (await page.getAttribute('#switch', 'aria-pressed')) === 'true');
await ended('A: source');
await page.keyboard.press('b');
expect('B chooses the item', (await page.getAttribute('#use-item', 'aria-pressed')) === 'true');
await page.keyboard.press('o');
await page.keyboard.press('Space');
await ended('O: opposite');
expect('the opposite plays too', (await sound('O: opposite')).ended);
await page.keyboard.press('z');
expect('Z narrows the band', (await page.getAttribute('#band', 'aria-pressed')) === 'true');

const first = page.url();
await page.keyboard.press('ArrowRight');
await status('^Ready.* 2 of 16');
expect('the next item has its own address', page.url() !== first && page.url().endsWith('?category=volume&tier=high'), page.url());
await page.keyboard.press('ArrowLeft');
await status('^Ready.* 1 of 16');
await page.keyboard.press('ArrowRight');
await status('^Ready.* 2 of 16');
await page.goBack();
await status('^Ready.* 1 of 16');
await page.keyboard.press('ArrowRight');
await status('^Ready.* 2 of 16');
await page.keyboard.press('l');
await page.waitForURL(/at=1/);
await status('^16 items of 96$');
await row(1);
expect('the list opens where one was', (await page.getAttribute('#grid', 'aria-activedescendant')) === 'row-1');

// ---- what is not there ------------------------------------------------------------------------------------------

const lost = await browse(`${server.url}item/nothing-0000`, { tolerates: /404/ });
await lost.waitForFunction(() => /cannot be shown: no such item/.test(document.getElementById('status').textContent));
expect('a refusal is logged', /GET \/api\/item\/nothing-0000 404: no such item/.test(server.log()));
expect('nothing else was refused', server.log().split('\n').filter((line) => line.startsWith('refused')).length === 1, server.log());
expect('SIGTERM ends it with 0', (await server.stop()) === 0);
await finish();
