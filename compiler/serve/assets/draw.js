// SPDX-License-Identifier: MIT
// Waveform and spectrogram on a canvas, with axes in s and Hz, from the bytes that the server computes
// (spectrum.c); asked and measured course as SVG.

import { figure, make } from './common.js';

// ---- what the server sends ------------------------------------------------------------------------------------

export function readShape(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const peaks = new Int8Array(buffer, 4 + length, 2 * head.columns);
  const levels = new Uint8Array(buffer, 4 + length + 2 * head.columns, head.columns * head.rows);
  return { ...head, peaks, levels, seconds: head.frames / head.rate_hz };
}

// ---- colours --------------------------------------------------------------------------------------------------

// From black over violet and orange to pale yellow: lightness rises evenly.
const STOPS = [[0, 0, 4], [40, 11, 84], [101, 21, 110], [159, 42, 99], [212, 72, 66], [245, 125, 21], [250, 193, 39], [252, 255, 164]];
const COLOURS = Array.from({ length: 256 }, (_, level) => {
  const at = (level / 255) * (STOPS.length - 1);
  const stop = Math.min(Math.floor(at), STOPS.length - 2);
  return STOPS[stop].map((from, k) => Math.round(from + (STOPS[stop + 1][k] - from) * (at - stop)));
});
const QUIET_DB = -90;
const LOUD_DB = -15;

function paint(shape) {
  const image = new ImageData(shape.columns, shape.rows);
  const level = Array.from({ length: 256 }, (_, byte) => {
    const db = shape.least_db * (1 - byte / 255);
    return COLOURS[Math.max(0, Math.min(255, Math.round(((db - QUIET_DB) / (LOUD_DB - QUIET_DB)) * 255)))];
  });
  for (let c = 0; c < shape.columns; c += 1)
    for (let r = 0; r < shape.rows; r += 1) {
      const at = 4 * ((shape.rows - 1 - r) * shape.columns + c);
      const [red, green, blue] = level[shape.levels[c * shape.rows + r]];
      image.data[at] = red;
      image.data[at + 1] = green;
      image.data[at + 2] = blue;
      image.data[at + 3] = 255;
    }
  const canvas = document.createElement('canvas');
  canvas.width = shape.columns;
  canvas.height = shape.rows;
  canvas.getContext('2d').putImageData(image, 0, 0);
  return canvas;
}

// ---- axes -----------------------------------------------------------------------------------------------------

// Round steps so that at most `most` fit.
export function ticks(from, to, most) {
  const rough = (to - from) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough) ?? 10 * power;
  const found = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + step * 1e-9; k += 1) found.push(Number((k * step).toPrecision(12)));
  return found;
}

const LEFT = 46;
const RIGHT = 6;
const WAVE = 64;
const GAP = 10;
const BOTTOM = 32;

// Where the plots lie in a canvas of this size, in CSS pixels.
export const plotOf = (width, height) => ({
  left: LEFT, width: Math.max(20, width - LEFT - RIGHT), wave: { top: 4, height: WAVE },
  spectrum: { top: 4 + WAVE + GAP, height: Math.max(20, height - WAVE - GAP - BOTTOM - 4) },
});

function drawWave(context, shape, plot, seconds, colour) {
  const { top, height } = plot.wave;
  const middle = top + height / 2;
  context.fillStyle = colour;
  const width = (plot.width * shape.seconds) / seconds;
  for (let c = 0; c < shape.columns; c += 1) {
    const x = plot.left + (c * width) / shape.columns;
    const least = shape.peaks[2 * c] / 128;
    const most = shape.peaks[2 * c + 1] / 128;
    const above = middle - (most * height) / 2;
    const below = middle - (least * height) / 2;
    context.fillRect(Math.floor(x), above, Math.ceil(width / shape.columns), Math.max(1, below - above)); // whole pixels: no stripes
  }
}

// `seconds`: what the width stands for, the same for all panels; `band`: the highest frequency shown; `marks`:
// times drawn as lines, the speech span.
export function drawSound(canvas, shape, { seconds, band, marks = [] }) {
  const scale = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const plot = plotOf(width, height);
  const { top, height: tall } = plot.spectrum;
  const highest = Math.min(band, shape.rate_hz / 2);
  const shown = shape.rows * (highest / (shape.rate_hz / 2));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  context.fillStyle = colour('--plot');
  context.fillRect(plot.left, plot.wave.top, plot.width, plot.wave.height);
  context.fillRect(plot.left, top, plot.width, tall);
  drawWave(context, shape, plot, seconds, colour('--up'));
  context.imageSmoothingEnabled = true;
  shape.painted ??= paint(shape);
  context.drawImage(shape.painted, 0, shape.rows - shown, shape.columns, shown, plot.left, top,
    (plot.width * shape.seconds) / seconds, tall);
  context.font = '11px system-ui, sans-serif';
  context.fillStyle = colour('--soft');
  context.strokeStyle = colour('--line');
  context.lineWidth = 1;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.fillText('1', plot.left - 5, plot.wave.top + 5);
  context.fillText('0', plot.left - 5, plot.wave.top + plot.wave.height / 2);
  context.fillText('−1', plot.left - 5, plot.wave.top + plot.wave.height - 5);
  for (const hz of ticks(0, highest, tall / 30)) {
    const y = top + tall * (1 - hz / highest);
    context.fillRect(plot.left - 3, y - 0.5, 3, 1);
    context.fillText(String(hz), plot.left - 5, Math.min(Math.max(y, top + 5), top + tall - 4));
  }
  context.textAlign = 'center';
  context.textBaseline = 'top';
  for (const s of ticks(0, seconds, plot.width / 55)) {
    const x = plot.left + (plot.width * s) / seconds;
    context.fillRect(x - 0.5, top + tall, 1, 3);
    context.fillText(String(s), Math.min(x, plot.left + plot.width - 6), top + tall + 4);
  }
  context.textAlign = 'right';
  context.fillText('s', plot.left + plot.width, top + tall + 18);
  context.save();
  context.translate(6, top + tall / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText('Hz', 0, 0);
  context.restore();
  context.strokeStyle = colour('--down');
  context.setLineDash([4, 3]);
  for (const mark of marks) {
    const x = plot.left + (plot.width * mark) / seconds;
    context.beginPath();
    context.moveTo(x, plot.wave.top);
    context.lineTo(x, plot.wave.top + plot.wave.height);
    context.stroke();
  }
}

// ---- the course -----------------------------------------------------------------------------------------------

const svg = (name, attributes, ...children) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

// `asked` [t 0..1, value], `measured` [value of equal parts], `from` and `to`: the span in s.
export function drawCourse({ asked, measured, from, to, unit, falls, words, width }) {
  const height = 260;
  const box = { left: 58, right: 12, top: 12, bottom: 40 };
  const points = [...asked.map(([, value]) => value), ...measured].filter(Number.isFinite);
  if (points.length === 0) return make('p', { class: 'soft' }, 'Nothing was measured, and nothing was asked in this unit.');
  let least = Math.min(...points);
  let most = Math.max(...points);
  const room = (most - least || 1) * 0.08;
  least -= room;
  most += room;
  const x = (t) => box.left + (width - box.left - box.right) * t;
  const y = (value) => box.top + (height - box.top - box.bottom) * (1 - (value - least) / (most - least));
  const line = (pairs) => pairs.map(([t, value], i) => `${i ? 'L' : 'M'}${x(t).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  const drawn = svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': words });
  for (const value of ticks(least, most, 6))
    drawn.append(svg('line', { class: 'axis', x1: box.left, x2: width - box.right, y1: y(value), y2: y(value) }),
      svg('text', { x: box.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, figure(value)));
  for (const s of ticks(from, to, width / 80)) {
    const at = x((s - from) / (to - from || 1));
    drawn.append(svg('line', { class: 'axis', x1: at, x2: at, y1: height - box.bottom, y2: height - box.bottom + 4 }),
      svg('text', { x: at, y: height - box.bottom + 17, 'text-anchor': 'middle' }, figure(s)));
  }
  drawn.append(svg('text', { x: width - box.right, y: height - 6, 'text-anchor': 'end' }, 's of the item; the speech span'),
    svg('text', { transform: `translate(14 ${(height + box.top - box.bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, unit));
  if (asked.length > 1) drawn.append(svg('path', { class: 'asked', d: line(asked.filter(([, v]) => Number.isFinite(v))) }));
  const heard = measured.map((value, i) => [(i + 0.5) / measured.length, value]).filter(([, value]) => Number.isFinite(value));
  if (heard.length > 1) drawn.append(svg('path', { class: 'measured', d: line(heard) }));
  for (const [t, value] of heard)
    drawn.append(svg('circle', { class: 'dot', cx: x(t), cy: y(value), r: 3.5 },
      svg('title', {}, `${figure(from + (to - from) * t)} s: ${figure(value)} ${unit}`)));
  drawn.classList.toggle('falls', falls);
  return drawn;
}
