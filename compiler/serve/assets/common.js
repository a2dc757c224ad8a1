// SPDX-License-Identifier: MIT
// What the pages share.  All text of a release goes in as text, never as markup.

export const FACETS = ['split', 'category', 'tier', 'curve', 'direction', 'verdict', 'source'];
export const FILTERS = [...FACETS, 'q'];

export const by = (id) => document.getElementById(id);

// An element with its attributes and children; a string is text.
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const words = (name) => String(name).replaceAll('_', ' ');
export const count = (number) => Number(number).toLocaleString('en');

// A number for reading: about three digits.
export function figure(value, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value);
  return String(Number(value.toPrecision(digits)));
}

// The filters of an address, those that say something.
export function filtersOf(search) {
  const given = new URLSearchParams(search);
  const filters = new URLSearchParams();
  for (const name of FILTERS) if (given.get(name)) filters.set(name, given.get(name));
  return filters;
}

export const addressOf = (path, parameters) => (parameters.toString() ? `${path}?${parameters}` : path);

export const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

// JSON from the server.  While it still reads the manifest (503) or asks to slow down (429), `wait` is told and
// the request is made again.
export async function ask(address, { signal, wait = () => {} } = {}) {
  for (;;) {
    const answer = await fetch(address, { signal, headers: { Accept: 'application/json' } });
    if (answer.ok) return answer.json();
    if (answer.status === 401) window.location.assign('/login');
    const said = await answer.json().catch(() => ({}));
    if (answer.status !== 503 && answer.status !== 429) throw new Error(said.error ?? `the server answers ${answer.status}`);
    wait(said.error);
    await pause(answer.status === 429 ? 2000 : 400);
  }
}

// Is the key meant for a field or a button?
export const isTyping = (event) =>
  event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input, select, textarea, [contenteditable]');
