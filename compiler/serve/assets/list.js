// SPDX-License-Identifier: MIT
// The list of items: only the rows in sight are in the page, fetched a hundred at a time.  The filters are in the
// address.

import { FACETS, FILTERS, addressOf, ask, by, count, figure, filtersOf, make, pause, words } from './common.js';

const PAGE = 100; // rows of one request
const BEYOND = 12; // rows kept above and below what is in sight
const HEIGHT_MAX = 12e6; // pixels; a browser takes no taller element
const ASKED_MAX = 4; // requests at once

const grid = by('grid');
const space = by('space');
const status = by('status');
const form = by('filters');

let filters = filtersOf(window.location.search);
let pages = new Map(); // number of the page: its rows
let asked = new Map(); // number of the page: what can end the request
let total = 0;
let expected = 0;
let read = 0;
let whole = false;
let fault = null;
let active = Number(new URLSearchParams(window.location.search).get('at') ?? 0) || 0;
let rowHeight = 40;
let turn = 0; // counts changes of the filters: a late answer to an earlier one is dropped
const rows = new Map(); // number of the row: its element

// ---- where rows are -------------------------------------------------------------------------------------------

// A very long list is squeezed: what is scrolled stands for more.
const fullHeight = () => total * rowHeight;
const shownHeight = () => Math.min(fullHeight(), HEIGHT_MAX);
const squeeze = () => {
  const room = shownHeight() - grid.clientHeight;
  return room > 0 ? (fullHeight() - grid.clientHeight) / room : 1;
};
const topRow = () => Math.max(0, (grid.scrollTop * squeeze()) / rowHeight);
const rowsInSight = () => Math.ceil(grid.clientHeight / rowHeight) + 1;

function scrollToRow(number) {
  const top = (number * rowHeight) / squeeze();
  const height = grid.clientHeight;
  const now = topRow() * rowHeight;
  if (number * rowHeight < now) grid.scrollTop = top;
  else if ((number + 1) * rowHeight > now + height) grid.scrollTop = ((number + 1) * rowHeight - height) / squeeze();
}

// ---- words ----------------------------------------------------------------------------------------------------

function tell(extra) {
  if (extra) {
    status.textContent = extra;
    return;
  }
  const found = total === 1 ? '1 item' : `${count(total)} items`;
  const of = filters.toString() ? ` of ${count(expected)}` : '';
  if (fault) status.textContent = `${found}${of}. The manifest could not be read to its end: ${fault}`;
  else if (!whole) status.textContent = `${found} so far; the manifest is being read: ${count(read)} of ${count(expected)}`;
  else status.textContent = `${found}${of}`;
}

// ---- rows -----------------------------------------------------------------------------------------------------

const itemAddress = (key) => addressOf(`/item/${encodeURIComponent(key)}`, filters);

function fill(element, number, item) {
  element.replaceChildren();
  element.classList.toggle('empty', !item);
  if (!item) {
    element.append(make('span', { role: 'gridcell' }, 'being fetched'));
    return;
  }
  const [key, id, , category, tier, curve, direction, verdict, source, seconds, net] = item;
  const link = make('a', { href: itemAddress(key), tabindex: '-1' }, words(category));
  const cells = [
    [link, 'category'], [tier, 'tier'], [words(curve), 'curve'],
    [make('span', { class: direction }, direction === 'up' ? '↗ up' : '↘ down'), 'direction'],
    [words(verdict), 'verdict'], [source, 'source'], [figure(seconds), 'seconds number'], [figure(net), 'net number'],
  ];
  for (const [content, css] of cells) element.append(make('span', { role: 'gridcell', class: css }, content));
  element.title = id;
  element.dataset.key = key;
}

const itemOf = (number) => pages.get(Math.floor(number / PAGE))?.[number % PAGE];

function draw() {
  const first = Math.max(0, Math.floor(topRow()) - BEYOND);
  const last = Math.min(total, Math.floor(topRow()) + rowsInSight() + BEYOND);
  // Rows stand at their own place, less what squeezing has left out above.
  const shift = grid.scrollTop - topRow() * rowHeight;
  for (const [number, element] of rows)
    if (number < first || number >= last) {
      element.remove();
      rows.delete(number);
    }
  for (let number = first; number < last; number += 1) {
    let element = rows.get(number);
    const item = itemOf(number);
    if (!element) {
      element = make('div', { class: 'item', role: 'row', id: `row-${number}`, 'aria-rowindex': number + 1 });
      rows.set(number, element);
      space.append(element);
      element.known = undefined;
    }
    if (element.known !== item || element.known === undefined) {
      fill(element, number, item);
      element.known = item;
    }
    element.style.transform = `translateY(${Math.round(number * rowHeight + shift)}px)`;
    element.classList.toggle('active', number === active);
    element.setAttribute('aria-selected', number === active);
  }
  if (total > 0) grid.setAttribute('aria-activedescendant', `row-${active}`);
  else grid.removeAttribute('aria-activedescendant');
  fetchMissing(first, last);
}

let drawing = 0;
function drawSoon() {
  if (!drawing)
    drawing = requestAnimationFrame(() => {
      drawing = 0;
      draw();
    });
}

function layOut() {
  rowHeight = parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) *
    parseFloat(getComputedStyle(document.documentElement).fontSize);
  space.style.height = `${shownHeight()}px`;
  grid.setAttribute('aria-rowcount', total);
  drawSoon();
}

// ---- fetching -------------------------------------------------------------------------------------------------

function fetchMissing(first, last) {
  const wanted = [];
  for (let page = Math.floor(first / PAGE); page * PAGE < last; page += 1) wanted.push(page);
  const after = Math.floor(last / PAGE) + 1;
  if (after * PAGE < total) wanted.push(after); // the next one, before it is scrolled to
  for (const [page, control] of asked)
    if (!wanted.includes(page)) {
      control.abort();
      asked.delete(page);
    }
  for (const page of wanted) if (!pages.has(page) && !asked.has(page) && asked.size < ASKED_MAX) fetchPage(page);
}

function take(answer) {
  ({ total, expected, read, whole, fault } = answer);
  active = Math.min(active, Math.max(0, total - 1));
}

async function fetchPage(page, facets = false) {
  const control = new AbortController();
  const mine = turn;
  const parameters = new URLSearchParams(filters);
  parameters.set('first', page * PAGE);
  parameters.set('count', PAGE);
  if (facets) parameters.set('facets', 1);
  asked.set(page, control);
  try {
    const answer = await ask(addressOf('/api/items', parameters), { signal: control.signal, wait: tell });
    if (mine !== turn) return;
    take(answer);
    if (answer.items.length > 0 || page === 0) pages.set(page, answer.items);
    if (answer.facets) showFacets(answer.facets);
    tell();
    layOut();
  } catch (error) {
    if (error.name !== 'AbortError' && mine === turn) tell(`The items cannot be fetched: ${error.message}`);
  } finally {
    if (asked.get(page) === control) asked.delete(page);
    if (mine === turn) drawSoon();
  }
}

// While the manifest is being read the list grows at its end.
async function follow(mine) {
  while (!whole && mine === turn) {
    await pause(500);
    if (mine !== turn) return;
    for (const [page, items] of pages) if (items.length < PAGE) pages.delete(page);
    await fetchPage(Math.floor(Math.floor(topRow()) / PAGE), true);
  }
}

// ---- filters --------------------------------------------------------------------------------------------------

function showFacets(facets) {
  for (const name of FACETS) {
    const field = by(name);
    const chosen = filters.get(name) ?? '';
    const options = facets[name].map(([value, items]) => [value, `${words(value)} (${count(items)})`]);
    if (name === 'source') {
      by('sources').replaceChildren(...options.map(([value, label]) => make('option', { value }, label)));
      continue;
    }
    if (chosen && !options.some(([value]) => value === chosen)) options.push([chosen, `${words(chosen)} (0)`]);
    field.replaceChildren(make('option', { value: '' }, 'any'),
      ...options.map(([value, label]) => make('option', { value }, label)));
    field.value = chosen;
  }
}

function showFilters() {
  for (const name of FACETS)
    if (name !== 'source' && by(name).options.length === 0) {
      const chosen = filters.get(name);
      by(name).replaceChildren(make('option', { value: '' }, 'any'),
        ...(chosen ? [make('option', { value: chosen }, words(chosen))] : []));
    }
  for (const name of FILTERS) by(name).value = filters.get(name) ?? '';
}

function remember() {
  const parameters = new URLSearchParams(filters);
  if (active > 0) parameters.set('at', active);
  window.history.replaceState(null, '', addressOf('/', parameters));
}

async function start(keepPlace) {
  turn += 1;
  for (const control of asked.values()) control.abort();
  asked = new Map();
  pages = new Map();
  for (const element of rows.values()) element.remove();
  rows.clear();
  if (!keepPlace) {
    active = 0;
    grid.scrollTop = 0;
  }
  remember();
  tell('Asking for the items');
  const mine = turn;
  await fetchPage(Math.floor(active / PAGE), true);
  if (mine !== turn) return;
  layOut();
  if (keepPlace && active > 0) scrollToRow(active);
  follow(mine);
}

function changed() {
  const next = new URLSearchParams();
  for (const name of FILTERS) if (by(name).value.trim()) next.set(name, by(name).value.trim());
  if (next.toString() === filters.toString()) return;
  filters = next;
  start(false);
}

let typing = 0;
form.addEventListener('input', (event) => {
  if (event.target.id !== 'q' && event.target.id !== 'source') return;
  clearTimeout(typing);
  typing = setTimeout(changed, 250);
});
form.addEventListener('change', changed);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  changed();
  grid.focus();
});
function showAll() {
  for (const name of FILTERS) by(name).value = '';
  changed();
}
by('clear').addEventListener('click', showAll);

// ---- moving about ---------------------------------------------------------------------------------------------

function moveTo(number) {
  if (total === 0) return;
  active = Math.min(Math.max(number, 0), total - 1);
  scrollToRow(active);
  remember();
  draw();
}

function open() {
  const key = itemOf(active)?.[0];
  if (!key) return;
  remember();
  window.location.assign(itemAddress(key));
}

grid.addEventListener('scroll', drawSoon, { passive: true });
grid.addEventListener('keydown', (event) => {
  const step = Math.max(1, rowsInSight() - 2);
  const moves = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + step, PageUp: active - step, Home: 0, End: total - 1 };
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key in moves) moveTo(moves[event.key]);
  else if (event.key === 'Enter') open();
  else return;
  event.preventDefault();
});
grid.addEventListener('click', (event) => {
  const row = event.target.closest('.item');
  if (!row || !row.dataset.key) return;
  active = Number(row.getAttribute('aria-rowindex')) - 1;
  remember();
  if (!event.target.closest('a')) open();
});
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '/' && !event.target.closest('input, select')) {
    event.preventDefault();
    by('q').focus();
  } else if (event.key === 'Escape') {
    showAll();
    grid.focus();
  }
});
window.addEventListener('resize', layOut);

async function introduce() {
  const release = await ask('/api/release');
  by('name').textContent = `${release.name} ${release.version}`;
  by('about').textContent = `${release.description ?? ''} Engine ${release.engine}; ${release.license ?? ''}; release id ${release.release_id}`;
  document.title = `${release.name} ${release.version} - vocalgrad`;
}

showFilters();
introduce().catch((error) => { by('about').textContent = error.message; });
start(true);
