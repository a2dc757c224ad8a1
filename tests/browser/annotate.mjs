// SPDX-License-Identifier: MIT
// The human study in Chromium, by keyboard alone: fifty items with the server killed twice in the middle, a second
// window, log out and in again, the finish; then the file of answers and its score.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessible, browse, build, expect, finish, serve, shoot, top, vocalgrad, work } from './lib.mjs';

const spec = join(top, 'tests/browser/people.yaml');
const release = build(spec);
const study = vocalgrad('plan', '-q', '--json', '--annotation', spec).trim().split('\n').map((l) => JSON.parse(l));
const volume = study.filter((item) => item.category === 'volume');
const noise = study.filter((item) => item.category === 'background_noise');
writeFileSync(join(work, 'people.csv'),
  'name,token,categories\nAnn,ann-secret-1,volume\n"Bob, B.",bob-secret-1,background_noise volume\n');
const options = [release, '--annotate', 'answers', '--annotators', 'people.csv'];
const log = join(work, 'answers/answers.jsonl');
const lines = () => readFileSync(log, 'utf8').trim().split('\n').filter(Boolean).map((l) => JSON.parse(l));
let server = await serve(options);
const { port } = server;

// Every fifth answer of Ann is wrong, so that her score is known.
const answers = volume.map((item, i) =>
  i % 5 === 4 ? { increase: 'decrease', decrease: 'increase' }[item.label] : item.label);

// ---- what reaches the browser ------------------------------------------------------------------------------

const heard = [];
function listen(page) {
  page.on('response', async (response) => {
    const headers = await response.allHeaders().catch(() => ({}));
    const body = await response.body().catch(() => Buffer.alloc(0));
    heard.push({ url: response.url(), headers: JSON.stringify(headers), body: body.toString('latin1'), type: headers['content-type'] ?? '' });
  });
}

const progress = (page) => page.locator('#progress').textContent();
const visible = (page, id) => page.locator(`#${id}`).isVisible();

async function logIn(page, name, token) {
  await page.locator('#enter').waitFor();
  await page.keyboard.type(name); // the field has the focus
  await page.keyboard.press('Tab');
  await page.keyboard.type(token);
  await page.keyboard.press('Enter');
}

// Plays, chooses and confirms with the keyboard; returns when `then` holds.
async function answer(page, word, plays = 1) {
  for (let i = 0; i < plays; i++) {
    const sounding = page.evaluate(() => new Promise((resolve) =>
      document.getElementById('audio').addEventListener('playing', resolve, { once: true })));
    await page.keyboard.press('Space');
    await sounding;
  }
  await page.keyboard.press(word[0]);
  expect('the key chooses', await page.locator(`button.answer[aria-pressed=true] .word`).textContent() === word);
  await page.keyboard.press('Enter');
}
const at = (page, number) => page.waitForFunction((n) => !document.getElementById('task').hidden &&
  document.getElementById('progress').textContent.startsWith(`${n} of 50`), number);

// ---- log in and instructions -------------------------------------------------------------------------------

const page = await browse(server.url, { tolerates: /40[139]|ERR_CONNECTION|Failed to load resource/ });
listen(page);
await page.locator('#enter').waitFor();
await accessible(page, 'the log-in');
await shoot(page, 'annotate-enter');
await logIn(page, 'Ann', 'wrong-secret');
await page.waitForFunction(() => document.getElementById('fault').textContent.includes('wrong name or token'));
await shoot(page, 'annotate-wrong');
await page.locator('#enter-token').fill('ann-secret-1');
await page.keyboard.press('Enter');
await page.locator('#intro').waitFor();
expect('the instructions come first', !await visible(page, 'task'));
await accessible(page, 'the instructions');
await shoot(page, 'annotate-intro');
await page.keyboard.press('Enter'); // Start has the focus
await at(page, 1);
expect('the question', await page.locator('#question').textContent() === 'Does the volume increase or decrease over time?');
expect('the progress', await progress(page) === '1 of 50', await progress(page));
await accessible(page, 'an item');
await shoot(page, 'annotate-item');

// ---- nothing plays, and nothing can be answered, before one asks --------------------------------------------

expect('it does not play by itself', await page.evaluate(() => document.getElementById('audio').paused));
expect('no answer before a sound', await page.locator('#first').isDisabled() && await page.locator('#confirm').isDisabled());
await page.keyboard.press('i'); // Enter would play: the button has the focus
expect('keys neither', await page.locator('#confirm').isDisabled());
await page.waitForFunction(() => !document.querySelector('#first[aria-pressed=true]'));
await page.keyboard.press('Space');
await page.waitForFunction(() => document.getElementById('audio').ended);
expect('a sound is heard to its end', true);
await page.keyboard.press('d');
await shoot(page, 'annotate-chosen');

// ---- twenty items, then the server is killed between two answers ---------------------------------------------

await answer(page, answers[0], 2);
await at(page, 2);
expect('the answer is on the disk', lines().length === 1 && lines()[0].answer === answers[0], lines());
expect('two replays of the first', lines()[0].replays === 2, lines()[0]);
for (let i = 1; i < 20; i++) {
  await answer(page, answers[i]);
  await at(page, i + 2);
}
await server.kill();
server = await serve(options, port);
await page.reload();
await page.locator('#intro').waitFor();
expect('it goes on where it was', (await page.locator('#intro-done').textContent()).includes('20 of 50'),
  await page.locator('#intro-done').textContent());
await shoot(page, 'annotate-resume');
await page.keyboard.press('Enter');
await at(page, 21);

// ---- killed while an answer is being sent: the same answer again, without loading the page -----------------------

const sounding = page.evaluate(() => new Promise((resolve) =>
  document.getElementById('audio').addEventListener('playing', resolve, { once: true })));
await page.keyboard.press('Space');
await sounding;
await page.keyboard.press(answers[20][0]);
await server.kill();
await page.keyboard.press('Enter');
await page.waitForFunction(() => /cannot be reached/.test(document.getElementById('fault').textContent));
expect('the choice is kept', await page.locator('button.answer[aria-pressed=true]').count() === 1);
await shoot(page, 'annotate-unsaved');
server = await serve(options, port);
await page.keyboard.press('Enter');
await at(page, 22);
expect('saved once', lines().length === 21 && lines()[20].answer === answers[20]);

// ---- two windows ----------------------------------------------------------------------------------------------

const other = await browse(server.url, { width: 390, height: 844, tolerates: /40[139]|Failed to load resource/ });
listen(other);
await logIn(other, 'Ann', 'ann-secret-1');
await other.locator('#intro').waitFor();
await other.keyboard.press('Enter');
await at(other, 22);
await answer(other, answers[21]);
await at(other, 23);
await answer(page, answers[21] === 'increase' ? 'decrease' : 'increase');
await at(page, 23);
expect('the second answer is not taken', lines().length === 22 && lines()[21].answer === answers[21]);
expect('and that is said', /answered already/.test(await page.locator('#fault').textContent()));
await other.context().close();

// ---- somebody else at the same time: her own items in her own order ---------------------------------------------

const bob = await browse(server.url, { tolerates: /401|Failed to load resource/ });
listen(bob);
await logIn(bob, 'Bob, B.', 'bob-secret-1');
await bob.locator('#intro').waitFor();
await bob.keyboard.press('Enter');
await at(bob, 1);
expect('the first category assigned', await bob.locator('#question').textContent() ===
  'Does the background noise increase or decrease over time?');
expect('of two parts', await progress(bob) === '1 of 50, part 1 of 2', await progress(bob));
for (let i = 0; i < 3; i++) {
  await answer(bob, noise[i].label);
  await at(bob, i + 2);
}
await bob.locator('#leave').click();
await bob.locator('#enter').waitFor();
await bob.reload();
await bob.locator('#enter').waitFor();
expect('out is out', !await visible(bob, 'task'));

// ---- to the end ----------------------------------------------------------------------------------------------

for (let i = 22; i < 50; i++) {
  await answer(page, answers[i]);
  if (i < 49) await at(page, i + 2);
}
await page.locator('#finish').waitFor();
expect('the finish', (await page.locator('#finish-words').textContent()).includes('All 50'));
await accessible(page, 'the finish');
await shoot(page, 'annotate-finish');
await page.reload();
await page.locator('#finish').waitFor();

// ---- the answers and their score ------------------------------------------------------------------------------

const ann = lines().filter((line) => line.annotator === 'Ann');
expect('fifty lines of Ann, three of Bob', ann.length === 50 && lines().length === 53, lines().length);
expect('in the order of the study', ann.every((line, i) => line.key === volume[i].key && line.position === i + 1));
expect('as they were given', ann.every((line, i) => line.answer === answers[i]));
expect('times and replays', ann.every((line) => line.response_ms > 0 && line.response_ms < 600000 && line.replays >= 0));
const score = JSON.parse(vocalgrad('score', '-q', release, '--annotations', 'answers', '--json'));
const row = (field, value) => score.scores.find((s) => s.field === field && s.value === value);
expect('ten of Ann are wrong', row('annotator', 'Ann').correct === 40 && row('annotator', 'Ann').answers === 50);
expect('none of Bob', row('annotator', 'Bob, B.').accuracy === 1);
expect('by category', row('category', 'volume').accuracy === 0.8 && row('category', 'background_noise').answers === 3);
console.log(vocalgrad('score', '-q', release, '--annotations', 'answers'));

// ---- label hunting: nothing that reached a browser tells --------------------------------------------------------

const names = JSON.stringify(study.flatMap((i) => [i.key, i.item_id, i.source_id, i.speaker_id])).slice(2, -2).split('","');
const told = new Set();
const sizes = {};
for (const { url, headers, body, type } of heard) {
  for (const name of names)
    if (body.includes(name) || headers.includes(name) || url.includes(name)) told.add(`${url}: ${name}`);
  if (/quad_|linear|tone_|person_|vocalgrad-people/.test(body + headers + url)) told.add(`${url}: a curve or a name`);
  if (/etag|last-modified|content-disposition/i.test(headers)) told.add(`${url}: ${headers}`);
  if (type.includes('json') && body.includes('current')) {
    const said = JSON.parse(body);
    const rest = JSON.stringify({ ...said, current: said.current && { ...said.current, question: '', answers: [] } });
    if (/increase|decrease|\b(up|down|low|mid|high|jump)\b/.test(rest)) told.add(`${url}: ${rest}`);
  }
  if (type.includes('flac')) sizes[JSON.parse(headers)['content-length']] = true;
}
expect('nothing tells', told.size === 0, [...told].slice(0, 5));
expect('sounds were served', heard.filter((h) => h.type.includes('flac')).length > 50);
expect('a category has one size', Object.keys(sizes).length <= 2, sizes);
const code = await server.stop();
expect('it stops when told', code === 0, code);
await finish();
