// SPDX-License-Identifier: MIT
// For the tests that drive a real Chromium: the server under test on a free port, a browser with a profile of
// its own, expectations that are counted, screenshots that are kept.
//
//   import { build, serve, browse, expect, shoot, finish } from './lib.mjs';
//   const release = build(spec);            // a folder
//   const server = await serve([release]);  // server.url, server.log(), server.kill(), server.stop()
//   const page = await browse(server.url);  // a page of playwright-core; its faults are counted
//   expect('what must hold', page.url() === server.url);
//   await shoot(page, 'list');              // list-1280.png and list-390.png, light; list-dark.png
//   await finish();
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const need = (name) => {
  if (!process.env[name]) throw new Error(`${name} is not set: run tests/browser/run.sh`);
  return process.env[name];
};
const { chromium } = createRequire(join(need('VG_NODE'), 'package.json'))('playwright-core');
const program = need('VOCALGRAD');
export const top = need('VG_TOP');
const shots = need('VG_SHOTS');
export const work = mkdtempSync(join(tmpdir(), 'vocalgrad-browser-'));

let passed = 0;
let failed = 0;
const servers = new Set();
let chrome = null;

export function expect(what, holds, found) {
  if (holds) {
    passed += 1;
    return;
  }
  failed += 1;
  console.log(`FAILED: ${what}${found === undefined ? '' : `: ${JSON.stringify(found)}`}`);
}

// vocalgrad ARGUMENTS...: what it prints on stdout.
export const vocalgrad = (...args) =>
  execFileSync(program, args, { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

// The release of a spec, as a folder.
export const build = (spec, ...args) =>
  join(work, vocalgrad('build', '-q', spec, '-o', 'out', ...args).trim());

// The server, once it has told its address on stdout.  `port`: 0 for any that is free.
export async function serve(args, port = 0) {
  const child = spawn(program, ['serve', ...args, '--port', String(port)], { cwd: work });
  const gone = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  let said = '';
  let words = '';
  child.stderr.on('data', (bytes) => (words += bytes));
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      said += bytes;
      const found = /^(http:\/\/\S+)$/m.exec(said);
      if (found) resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`vocalgrad serve ended with ${code}: ${words}`)));
    child.once('error', reject);
  });
  const end = async (signal) => {
    child.kill(signal);
    servers.delete(server);
    return gone;
  };
  const server = {
    url,
    port: Number(new URL(url).port),
    log: () => words,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
  servers.add(server);
  return server;
}

async function start() {
  // Sound that nobody hears still has to end: Chromium plays to nowhere where there is no device.
  chrome ??= await chromium.launch({
    executablePath: process.env.VG_CHROMIUM || '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage',
      '--autoplay-policy=user-gesture-required'],
  });
  return chrome;
}

// A page in a context of its own, as another person's browser.  What goes wrong in it is a failure, unless
// `tolerates` (a regular expression) says otherwise; page.faults has all of it.
export async function browse(url, { width = 1280, height = 800, tolerates = null, ...options } = {}) {
  const context = await (await start()).newContext({ viewport: { width, height }, ...options });
  const page = await context.newPage();
  page.faults = [];
  const fault = (text) => {
    page.faults.push(text);
    if (!(tolerates && tolerates.test(text))) expect('no fault in the page', false, text);
  };
  page.on('pageerror', (error) => fault(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) fault(message.text());
  });
  page.setDefaultTimeout(60000);
  await page.goto(url);
  return page;
}

// The page as it stands, wide, on a phone and in the dark; it must not be wider than the phone.
export async function shoot(page, name) {
  const size = page.viewportSize();
  mkdirSync(shots, { recursive: true });
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 800 });
    await page.screenshot({ path: join(shots, `${name}-${width}.png`), fullPage: true });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(`${name} fits into ${width} pixels`, wide <= width, wide);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: join(shots, `${name}-dark.png`), fullPage: true });
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(size);
}

// Every element that takes the keyboard must have a name; ids are unique; landmarks are there.
export async function accessible(page, name) {
  const faults = await page.evaluate(() => {
    const found = [];
    const seen = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility());
    const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
    if (new Set(ids).size !== ids.length) found.push('an id twice');
    if (document.querySelectorAll('main').length !== 1) found.push('not one main');
    if (!document.documentElement.lang) found.push('no language');
    if (!document.title) found.push('no title');
    if (seen('h1').length !== 1) found.push('not one h1');
    if (!document.querySelector('[aria-live], [role=status]')) found.push('nothing live');
    for (const e of seen('button, a[href], input, select, textarea')) {
      const label = e.labels?.[0]?.textContent || e.getAttribute('aria-label') || e.textContent || e.title;
      if (!label?.trim()) found.push(`no name: ${e.outerHTML.slice(0, 80)}`);
    }
    for (const e of document.querySelectorAll('*'))
      for (const a of e.attributes)
        if (/^on/i.test(a.name)) found.push(`inline handler: ${a.name}`);
    return found;
  });
  expect(`${name} is accessible`, faults.length === 0, faults);
}

async function close() {
  await chrome?.close();
  for (const server of [...servers]) await server.kill();
  rmSync(work, { recursive: true, force: true });
}

export async function finish() {
  await close();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}

process.on('unhandledRejection', async (error) => {
  console.log(`FAILED: ${error?.stack ?? error}`);
  await close().catch(() => {});
  process.exit(1);
});
