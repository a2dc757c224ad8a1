// SPDX-License-Identifier: MIT
// One item: its sound between its source's and its opposite's, what was asked and what was measured.  Moving to
// the next item changes the address, not the page.

import { addressOf, ask, by, count, figure, filtersOf, isTyping, make, words } from './common.js';
import { drawCourse, drawSound, plotOf, readShape } from './draw.js';

const filters = filtersOf(window.location.search);
const ROLES = ['source', 'item', 'opposite'];
const NAMES = { source: 'A: source', item: 'B: item', opposite: 'O: opposite' };

let shown = null; // what the server says of the item
let current = 'item'; // which of the three plays
let turn = 0;
let narrow = false; // the spectrograms end at 8 kHz
const panels = {}; // role: { element, audio, canvas, head, shape, note }

const keyOf = (path) => decodeURIComponent(path.replace(/^\/item\//, ''));
const tell = (text) => { by('status').textContent = text; };

// ---- panels ---------------------------------------------------------------------------------------------------

function makePanel(role) {
  const audio = make('audio', { controls: true, preload: 'auto', 'aria-label': `Sound of ${NAMES[role]}` });
  const canvas = make('canvas', { role: 'img' });
  const head = make('div', { class: 'head' });
  const drawing = make('div', { class: 'drawing', hidden: true }, canvas, head);
  const note = make('p', { class: 'soft small' });
  const facts = make('span', { class: 'soft small' });
  const title = make('h3', {}, NAMES[role]);
  const element = make('section', { class: 'panel', 'aria-label': NAMES[role] }, make('header', {}, title, facts), audio, drawing, note);
  panels[role] = { element, audio, canvas, head, drawing, note, facts, title, shape: null };
  audio.addEventListener('play', () => { use(role, false); follow(); showPlaying(); });
  audio.addEventListener('pause', showPlaying);
  audio.addEventListener('ended', showPlaying);
  audio.addEventListener('seeked', () => moveHead(role));
  audio.addEventListener('error', () => { if (audio.getAttribute('src')) note.textContent = 'This sound cannot be played here.'; });
  drawing.addEventListener('click', (event) => {
    const seconds = widest();
    const plot = plotOf(canvas.clientWidth, canvas.clientHeight);
    const at = ((event.clientX - canvas.getBoundingClientRect().left - plot.left) / plot.width) * seconds;
    use(role, false);
    audio.currentTime = Math.max(0, Math.min(at, panels[role].shape.seconds));
    moveHead(role);
  });
  return element;
}

const widest = () => Math.max(...ROLES.map((role) => panels[role].shape?.seconds ?? 0), 0.01);

function drawPanels() {
  const seconds = widest();
  const { record } = shown;
  for (const role of ROLES) {
    const { canvas, shape } = panels[role];
    if (!shape) continue;
    const marks = role === 'item' ? [record.onset_frame, record.offset_frame].map((frame) => frame / record.sample_rate_hz) : [];
    drawSound(canvas, shape, { seconds, band: narrow ? 8000 : Infinity, marks });
    canvas.setAttribute('aria-label', `Waveform above spectrogram of ${NAMES[role]}: ${figure(shape.seconds)} s, up to ` +
      `${Math.min(narrow ? 8000 : Infinity, shape.rate_hz / 2)} Hz${marks.length ? `; speech from ${figure(marks[0])} to ${figure(marks[1])} s` : ''}`);
    moveHead(role);
  }
}

function moveHead(role) {
  const { audio, canvas, head, shape } = panels[role];
  if (!shape) return;
  const plot = plotOf(canvas.clientWidth, canvas.clientHeight);
  head.style.transform = `translateX(${plot.left + (plot.width * audio.currentTime) / widest()}px)`;
  head.style.visibility = audio.currentTime > 0 || !audio.paused ? 'visible' : 'hidden';
}

function follow() {
  const { audio } = panels[current];
  moveHead(current);
  if (!audio.paused && !audio.ended) requestAnimationFrame(follow);
}

async function loadPanel(role, sound, shape, mine) {
  const panel = panels[role];
  panel.audio.hidden = false;
  panel.audio.src = sound;
  const answer = await fetch(shape);
  if (mine !== turn) return;
  if (!answer.ok) {
    const said = await answer.json().catch(() => ({}));
    panel.note.textContent = said.error ?? `The server answers ${answer.status}.`;
    panel.note.classList.add('bad');
    return;
  }
  panel.shape = readShape(await answer.arrayBuffer());
  if (mine !== turn) return;
  panel.facts.textContent = `${figure(panel.shape.seconds)} s, ${count(panel.shape.rate_hz)} Hz`;
  if (panel.shape.fault) {
    panel.note.textContent = panel.shape.fault;
    panel.note.classList.add('bad');
  }
  panel.drawing.hidden = false;
}

function clearPanel(role) {
  const panel = panels[role];
  panel.audio.pause();
  panel.audio.removeAttribute('src');
  panel.audio.load();
  panel.audio.hidden = true;
  panel.drawing.hidden = true;
  panel.shape = null;
  panel.facts.textContent = '';
  panel.note.replaceChildren();
  panel.note.classList.remove('bad');
}

// ---- playing --------------------------------------------------------------------------------------------------

const canPlay = (role) => Boolean(panels[role].audio.getAttribute('src'));

function showPlaying() {
  by('play').textContent = panels[current].audio.paused ? 'Play' : 'Pause';
}

// `inPlace`: at the same part of the sound, playing on.
function use(role, inPlace = true) {
  if (!canPlay(role)) return;
  if (role !== current) {
    const before = panels[current].audio;
    const after = panels[role].audio;
    const playing = !before.paused && !before.ended;
    before.pause();
    if (inPlace) {
      const share = before.duration > 0 && after.duration > 0 ? after.duration / before.duration : 1;
      after.currentTime = before.ended ? 0 : before.currentTime * share;
      current = role;
      if (playing) after.play();
    }
    current = role;
  }
  for (const name of ROLES) {
    by(`use-${name}`).setAttribute('aria-pressed', name === current);
    panels[name].element.classList.toggle('current', name === current);
  }
  by('switch').setAttribute('aria-pressed', current === 'source');
  showPlaying();
}

function toggle() {
  const { audio } = panels[current];
  if (!canPlay(current)) return;
  if (audio.paused) audio.play();
  else audio.pause();
}

function restart() {
  if (!canPlay(current)) return;
  panels[current].audio.currentTime = 0;
  panels[current].audio.play();
}

const switchSides = () => use(current === 'source' ? 'item' : 'source');

function changeBand() {
  narrow = !narrow;
  by('band').setAttribute('aria-pressed', narrow);
  if (shown) drawPanels();
}

// ---- facts ----------------------------------------------------------------------------------------------------

const fact = (name, value, css) =>
  make('div', {}, make('dt', {}, name), make('dd', css ? { class: css } : {}, value === '' || value === null || value === undefined ? '–' : value));

const list = (value) => (Array.isArray(value) ? value.map((v) => figure(v, 6)).join(', ') : typeof value === 'number' ? figure(value, 6) : String(value));

function showFacts({ record, page }) {
  const dbfs = (value) => (value > 0 ? `${figure(20 * Math.log10(value / 32768))} dBFS` : 'silent');
  by('question').replaceChildren(fact('Question', record.prompt),
    fact('Label', make('strong', { class: record.direction }, record.label)),
    fact('Direction', record.direction), fact('Tier', record.tier), fact('Curve', words(record.curve)),
    fact('Split', record.split));
  by('parameters').replaceChildren(...Object.entries(record.parameters).map(([name, value]) => fact(words(name), list(value))),
    fact('seed', record.seed, 'mono'));
  const { source } = page;
  by('source').replaceChildren(fact('Source', record.source), fact('Words', record.source_text), fact('Speaker', record.speaker_id),
    fact('Corpus', source.corpus), fact('Licence', source.licence), fact('Decoder', source.decoder), fact('Speech span by', source.span_by),
    fact('Note', source.note), fact('Samples XXH128', record.source_audio_xxh128, 'mono'));
  by('digests').replaceChildren(fact('Samples XXH128', record.audio_xxh128, 'mono'), fact('FLAC XXH128', record.flac_xxh128, 'mono'),
    fact('FLAC', `${count(record.flac_bytes)} bytes`), fact('Key', record.key, 'mono'), fact('Shard', record.shard, 'mono'),
    fact('Length', `${count(record.frames)} samples at ${count(record.sample_rate_hz)} Hz`),
    fact('Speech', `${figure(record.onset_sec)} to ${figure(record.offset_sec)} s`),
    fact('Peak, level', `${dbfs(record.peak)}, ${dbfs(record.rms)}`),
    fact('Clipped', `${count(record.clipped_samples)} samples`));
}

const SIGNS = { 1: 'rises', '-1': 'falls', 0: 'no change', 2: 'undecided' };

function showEvidence({ record }) {
  if (!record.evidence) {
    by('evidence').replaceChildren(make('p', { class: 'soft' }, 'This release was built without measuring.'));
    return;
  }
  const { paired, blind } = record.evidence;
  const head = ['Measure', 'beside the source', 'net', 'JND', 'rank', 'alone', 'net', 'rank'];
  const rows = Object.keys(paired).map((name) => make('tr', name === record.category ? { class: 'strong' } : {},
    make('th', { scope: 'row' }, name === record.category ? make('strong', {}, words(name)) : words(name)),
    make('td', {}, SIGNS[paired[name].sign]), make('td', {}, figure(paired[name].net)), make('td', {}, figure(paired[name].net_jnd)),
    make('td', {}, figure(paired[name].rank)), make('td', {}, SIGNS[blind[name].sign]), make('td', {}, figure(blind[name].net)),
    make('td', {}, figure(blind[name].rank))));
  by('evidence').replaceChildren(make('table', {}, make('thead', {}, make('tr', {}, ...head.map((text) => make('th', { scope: 'col' }, text)))),
    make('tbody', {}, ...rows)));
}

function showCourse({ record, page }) {
  const own = record.evidence?.paired?.[record.category];
  const measured = (own?.trajectory ?? []).map((value) => value ?? NaN);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  let asked = page.asked.values.map((value, i, all) => [i / (all.length - 1), value ?? NaN]);
  if (page.asked.kind === 'change' && measured.some(Number.isFinite)) {
    // Up to a constant: laid over what was measured.
    const shift = mean(measured.filter(Number.isFinite)) - mean(asked.map(([, value]) => value));
    asked = asked.map(([t, value]) => [t, value + shift]);
  }
  const from = record.onset_frame / record.sample_rate_hz;
  const to = record.offset_frame / record.sample_rate_hz;
  const unit = page.measure?.unit ?? '';
  const at = (t) => asked[Math.round(t * (asked.length - 1))]?.[1];
  const table = make('table', {}, make('thead', {}, make('tr', {}, ...['Part', 's', `measured, ${unit}`, `asked, ${unit}`].map((text) => make('th', { scope: 'col' }, text)))),
    make('tbody', {}, ...measured.map((value, i) => {
      const t = (i + 0.5) / measured.length;
      return make('tr', {}, make('td', {}, String(i + 1)), make('td', {}, figure(from + (to - from) * t)), make('td', {}, figure(value)), make('td', {}, figure(at(t))));
    })));
  const said = `Asked and measured course of ${words(record.category)} over the speech span, in ${unit}: ` +
    `${measured.length} measured parts, net ${figure(own?.net)} ${unit}`;
  const kinds = {
    value: 'Dashed: what the recipe asks for. ',
    change: 'Dashed: the change that the recipe asks for, laid over what was measured: where it starts is the source’s. ',
    unknown: 'What was asked has no course in this unit. ',
  };
  by('course').classList.toggle('falls', record.direction === 'down');
  by('course').replaceChildren(drawCourse({ asked, measured, from, to, unit, falls: record.direction === 'down', words: said,
    width: Math.max(280, Math.min(by('course').clientWidth, 760)) }),
    make('p', { class: 'soft small' }, `${kinds[page.asked.kind]}Line with dots: measured beside the source${page.measure ? ` (${page.measure.hears})` : ''}.`),
    make('details', {}, make('summary', {}, 'The numbers'), make('div', { class: 'scroll' }, table)));
}

function showHead({ record, page }) {
  const { neighbours } = page;
  const own = record.evidence?.paired?.[record.category];
  by('title').textContent = `${words(record.category)}, ${record.direction}: ${record.tier}, ${words(record.curve)}`;
  by('id').textContent = record.id;
  by('verdict').replaceChildren(make('span', { class: 'badge' }, words(record.verdict ?? 'not measured')), ' ',
    own ? `net ${figure(own.net)} ${page.measure?.unit ?? ''}, ${figure(own.net_jnd)} JND (margin ${figure(page.measure?.margin)} ${page.measure?.unit ?? ''}); label “${record.label}”` : `label “${record.label}”`,
    record.below_jnd ? make('span', { class: 'bad' }, ' below one JND') : '');
  by('place').textContent = neighbours.place ? `${count(neighbours.place)} of ${count(neighbours.total)}${filters.toString() ? ' filtered' : ''}`
    : `not among the ${count(neighbours.total)} that the filters show`;
  by('previous').disabled = !neighbours.previous;
  by('next').disabled = !neighbours.next;
  const back = new URLSearchParams(filters);
  if (neighbours.place > 1) back.set('at', neighbours.place - 1);
  by('list').href = addressOf('/', back);
  document.title = `${words(record.category)} ${record.direction}, ${record.id} - vocalgrad`;
}

function explainSource() {
  panels.source.note.replaceChildren(
    'The sources are not part of a release. To hear them here, start with ', make('code', {}, '--sources FILE'),
    ': a pack (', make('code', {}, 'vocalgrad pack-sources SPEC -o FILE'), ') or the spec that the release was built from.');
}

// ---- loading --------------------------------------------------------------------------------------------------

async function show(key) {
  turn += 1;
  const mine = turn;
  tell('Asking for the item');
  for (const role of ROLES) clearPanel(role);
  const answer = await ask(addressOf(`/api/item/${encodeURIComponent(key)}`, filters), { wait: tell });
  if (mine !== turn) return;
  shown = answer;
  const { record, page } = shown;
  const name = encodeURIComponent(key);
  showHead(shown);
  showCourse(shown);
  showFacts(shown);
  showEvidence(shown);
  tell('Computing the drawings');
  const loads = [loadPanel('item', `/flac/${name}.flac`, `/api/shape/${name}`, mine)];
  if (page.source_heard) loads.push(loadPanel('source', `/source/${name}.flac`, `/api/source-shape/${name}`, mine));
  else explainSource();
  panels.opposite.title.replaceChildren(NAMES.opposite);
  if (page.opposite) {
    const opposite = encodeURIComponent(page.opposite);
    panels.opposite.title.append(' ', make('a', { href: addressOf(`/item/${opposite}`, filters), class: 'small' }, 'open'));
    loads.push(loadPanel('opposite', `/flac/${opposite}.flac`, `/api/shape/${opposite}`, mine));
  } else panels.opposite.note.textContent = 'This release holds no opposite of the item.';
  for (const role of ROLES) by(`use-${role}`).disabled = !canPlay(role);
  by('switch').disabled = !canPlay('source');
  current = 'item';
  use('item');
  await Promise.all(loads);
  if (mine !== turn) return;
  drawPanels();
  tell(`Ready: ${words(record.category)} ${record.direction}, ${by('place').textContent}`);
}

const load = (key) => show(key).catch((error) => tell(`The item cannot be shown: ${error.message}`));

function go(key) {
  if (!key) return;
  window.history.pushState(null, '', addressOf(`/item/${encodeURIComponent(key)}`, filters));
  load(key);
}

// ---- keys -----------------------------------------------------------------------------------------------------

const KEYS = {
  ArrowLeft: () => go(shown?.page.neighbours.previous), ArrowRight: () => go(shown?.page.neighbours.next),
  a: () => use('source'), b: () => use('item'), o: () => use('opposite'), x: switchSides, r: restart, z: changeBand,
  l: () => window.location.assign(by('list').href),
};

document.addEventListener('keydown', (event) => {
  if (isTyping(event)) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === ' ') {
    // A button, a link and the player's own controls keep their key.
    if (event.target.closest('button, a, summary, audio')) return;
    toggle();
  } else if (key in KEYS) {
    if (event.target.closest('audio') && key.startsWith('Arrow')) return;
    KEYS[key]();
  } else return;
  event.preventDefault();
});

by('play').addEventListener('click', toggle);
by('switch').addEventListener('click', switchSides);
for (const role of ROLES) by(`use-${role}`).addEventListener('click', () => use(role));
by('band').addEventListener('click', changeBand);
by('previous').addEventListener('click', () => go(shown?.page.neighbours.previous));
by('next').addEventListener('click', () => go(shown?.page.neighbours.next));
window.addEventListener('popstate', () => load(keyOf(window.location.pathname)));
let width = 0;
const redraw = () => {
  if (!shown) return;
  drawPanels();
  if (width !== by('course').clientWidth) showCourse(shown);
  width = by('course').clientWidth;
};
window.addEventListener('resize', redraw);
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);

by('panels').append(...ROLES.map(makePanel));
load(keyOf(window.location.pathname));
