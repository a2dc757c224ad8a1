// SPDX-License-Identifier: MIT
// The listening study.  The server says which question is next; this page plays its sound, counts, measures the
// time, and shows the next one only when the answer is saved.
'use strict';

const at = (id) => document.getElementById(id);
const sections = ['enter', 'intro', 'task', 'finish'];
const audio = at('audio');
const buttons = [at('first'), at('second')];

let state = null;   // as the server told it last
let choice = -1;    // 0 or 1; -1: none yet
let plays = 0;      // of this item
let started = 0;    // when it was played first, of a clock that only rises
let asked = false;  // to play, and nothing sounds yet
let sending = false;

// ---- telling ----------------------------------------------------------------------------------------------

function show(section) {
  for (const id of sections) at(id).hidden = id !== section;
  document.querySelector('.who').hidden = !state;
  at('name').textContent = state ? state.name : '';
}

// Read out by a screen reader; never while a sound may be playing.
function say(words) {
  at('live').textContent = words;
}

function fault(words) {
  at('fault').textContent = words;
}

// ---- the server -------------------------------------------------------------------------------------------

// What it answers, or null: then the reason is shown and nothing is lost.
async function ask(path, form) {
  let reply;
  try {
    reply = await fetch(path, form ? { method: 'POST', body: new URLSearchParams(form) } : {});
  } catch {
    fault('The server cannot be reached. Nothing is lost: try again in a moment.');
    return null;
  }
  const words = await reply.json().catch(() => ({ error: 'the reply was cut off' }));
  if (reply.ok) {
    fault('');
    return words;
  }
  if (reply.status === 401) {
    state = null;
    enter(path === '/state' ? '' : 'Please log in again.');
  } else if (reply.status === 409) {
    await refresh();
    say('This item was answered already. The first answer counts.');
    fault('This item was answered already, perhaps in another window. Here is the next one.');
  } else {
    fault(`${form && path.startsWith('/answer/') ? 'Not saved' : 'Sorry'}: ${words.error}. ` +
      'You can try again.');
  }
  return null;
}

async function refresh() {
  const found = await ask('/state');
  if (!found) return;
  state = found;
  next();
}

// ---- log in and instructions ------------------------------------------------------------------------------

function enter(words) {
  audio.pause();
  show('enter');
  fault(words);
  at('enter-name').focus();
}

function intro() {
  if (!state.current) {
    next();
    return;
  }
  const done = at('intro-done');
  done.hidden = state.done === 0;
  done.textContent = `You have answered ${state.done} of ${state.items}. You go on at number ${state.done + 1}.`;
  const keys = letters();
  at('intro-first').textContent = keys[0];
  at('intro-second').textContent = keys[1];
  show('intro');
  at('start').focus();
}

at('enter-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const found = await ask('/enter', { name: at('enter-name').value, token: at('enter-token').value });
  if (!found) return;
  at('enter-token').value = '';
  state = found;
  intro();
});

at('leave').addEventListener('click', async () => {
  if (!await ask('/leave', {})) return;
  state = null;
  enter('');
});

at('start').addEventListener('click', () => next());

// ---- one item ---------------------------------------------------------------------------------------------

// The first letters of the answers where they differ, else 1 and 2.
function letters() {
  const [a, b] = state.current.answers.map((word) => word.slice(0, 1).toLowerCase());
  return a !== b && /^[a-z]$/.test(a) && /^[a-z]$/.test(b) ? [a, b] : ['1', '2'];
}

function choose(index) {
  if (plays === 0 || sending) {
    say('Play the sound first.');
    return;
  }
  choice = index;
  buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(i === index)));
  at('confirm').disabled = false;
  at('hint').textContent = '';
}

function next() {
  const current = state.current;
  choice = -1;
  plays = 0;
  asked = sending = false;
  if (!current) {
    audio.removeAttribute('src');
    at('finish-words').textContent = `All ${state.items} answers are saved. You may close this page.`;
    show('finish');
    say(`Saved. All ${state.items} answers are given.`);
    at('finish-title').focus();
    return;
  }
  const keys = letters();
  buttons.forEach((button, i) => {
    button.setAttribute('aria-pressed', 'false');
    button.setAttribute('aria-keyshortcuts', keys[i]);
    button.querySelector('.word').textContent = current.answers[i];
    button.querySelector('kbd').textContent = keys[i];
    button.disabled = true;
  });
  at('confirm').disabled = true;
  at('hint').textContent = 'Play the sound first.';
  at('question').textContent = current.question;
  at('progress').textContent = `${current.part_item} of ${current.part_items}` +
    (current.parts > 1 ? `, part ${current.part} of ${current.parts}` : '');
  at('bar').value = state.done / state.items;
  audio.src = `/sound/${current.number}`;
  at('play-word').textContent = 'Play';
  show('task');
  say(`${current.number > 1 ? 'Next: ' : ''}${current.part_item} of ${current.part_items}. ${current.question}`);
  at('play').focus();
}

async function play() {
  if (!state?.current || sending) return;
  say('');
  asked = true;
  audio.currentTime = 0;
  try {
    await audio.play();
  } catch (error) {
    if (error.name !== 'AbortError') fault('The sound cannot be played. Try again, or load the page again.');
  }
}

// Counted when it sounds, not when the button is pressed; going back to the start while it sounds tells twice.
audio.addEventListener('playing', () => {
  if (!asked) return;
  asked = false;
  if (plays === 0) started = performance.now();
  plays += 1;
  fault('');
  for (const button of buttons) button.disabled = false;
  at('hint').textContent = choice < 0 ? 'Choose an answer, or play it again.' : '';
  at('play-word').textContent = 'Play again';
  at('play').classList.add('playing');
});
for (const name of ['ended', 'pause', 'emptied', 'error'])
  audio.addEventListener(name, () => at('play').classList.remove('playing'));

async function confirm() {
  if (choice < 0 || sending) return;
  sending = true;
  at('confirm').disabled = true;
  audio.pause();
  const found = await ask(`/answer/${state.current.number}`, {
    answer: state.current.answers[choice],
    replays: Math.min(plays - 1, 10000),
    response_ms: Math.min(Math.max(0, Math.round(performance.now() - started)), 86400000),
  });
  sending = false;
  at('confirm').disabled = choice < 0;
  if (!found) return;
  state = found;
  next();
}

at('play').addEventListener('click', play);
at('confirm').addEventListener('click', confirm);
buttons.forEach((button, i) => button.addEventListener('click', () => choose(i)));

// ---- keys -------------------------------------------------------------------------------------------------

// Space plays wherever the focus is; a button would also take it when it is let go.
function isSpace(event) {
  return event.key === ' ' && !at('task').hidden && event.target !== at('leave');
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || at('task').hidden) return;
  if (isSpace(event)) {
    event.preventDefault();
    if (!event.repeat) play();
    return;
  }
  if (event.repeat || event.target === at('leave')) return;
  const index = letters().indexOf(event.key.toLowerCase());
  if (index >= 0) {
    event.preventDefault();
    choose(index);
    buttons[index].focus();
  } else if (event.key === 'Enter' && choice >= 0) {
    event.preventDefault();
    confirm();
  }
});
document.addEventListener('keyup', (event) => {
  if (isSpace(event)) event.preventDefault();
});

(async () => {
  const found = await ask('/state');
  if (!found) return;
  state = found;
  intro();
})();
