// SPDX-License-Identifier: MIT
// The harness itself: Chromium starts, shows a page, and plays a sound to its end.
import { browse, expect, finish } from './lib.mjs';

const page = await browse('data:text/html,<html lang=en><title>harness</title><main><h1>harness</h1></main>');
expect('a page has its title', (await page.title()) === 'harness');

// 0.1 s of silence, 8 kHz, 8 bits.
const wav = Buffer.alloc(44 + 800, 128);
wav.write('RIFF', 0);
wav.writeUInt32LE(36 + 800, 4);
wav.write('WAVEfmt ', 8);
wav.writeUInt32LE(16, 16);
wav.writeUInt16LE(1, 20);
wav.writeUInt16LE(1, 22);
wav.writeUInt32LE(8000, 24);
wav.writeUInt32LE(8000, 28);
wav.writeUInt16LE(1, 32);
wav.writeUInt16LE(8, 34);
wav.write('data', 36);
wav.writeUInt32LE(800, 40);
await page.evaluate((source) => {
  const audio = document.createElement('audio');
  audio.src = source;
  document.body.append(audio);
  const play = document.createElement('button');
  play.textContent = 'play';
  play.addEventListener('click', () => audio.play());
  document.querySelector('main').append(play);
}, `data:audio/wav;base64,${wav.toString('base64')}`);
await page.click('button');
await page.waitForFunction(() => document.querySelector('audio').ended);
expect('a sound is played to its end', true);
await finish();
