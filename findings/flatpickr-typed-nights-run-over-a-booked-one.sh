#!/usr/bin/env bash
# Package: flatpickr 4.6.13, the date picker, as a range of nights in which the night of the 15th is booked (disable), in jsdom 26.1.0.
# The good guess: a range never contains a disabled day, as the page shows: after the 10th is chosen, all days from the 15th on are closed,
#   to the mouse and to the arrow keys. A range that is typed (allowInput) or set by the program (setDate) follows the same rule, as a
#   single day does.
# What is seen: typed text and setDate look at the two ends alone. "2030-07-10 to 2030-07-20" is taken. A range that ends on the 15th itself
#   is refused by every way.
# Why it matters: a guest who types the dates, or comes with them in the link of a search, books ten nights of which one belongs to somebody
#   else. The host, who tries it with the mouse, cannot repeat it, and unless the server looks again the flat is booked twice.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts flatpickr@4.6.13 jsdom@26.1.0 >> npm.log 2>&1
cat > nights.mjs <<'END'
import { JSDOM } from 'jsdom';
const { window } = new JSDOM('', { pretendToBeVisual: true });
Object.defineProperty(globalThis, 'navigator', { value: window.navigator, configurable: true });
for (const name of ['document', 'HTMLElement', 'HTMLCollection', 'NodeList', 'Node', 'getComputedStyle']) globalThis[name] = window[name];
globalThis.window = window;
const { default: flatpickr } = await import('flatpickr');
const { KeyboardEvent, MouseEvent } = window;
const day = (picker, text) => [...picker.days.children].find(({ dateObj }) => picker.formatDate(dateObj, 'Y-m-d') === text);
const send = (element, event) => element.dispatchEvent(event);
const key = (name, keyCode) => send(window.document.activeElement, new KeyboardEvent('keydown', { key: name, keyCode, bubbles: true }));
const ways = {
  'the mouse': (picker, from, to) => {
    for (const text of [from, to]) {
      send(day(picker, text), new MouseEvent('mouseover', { bubbles: true }));
      send(day(picker, text), new MouseEvent('click', { bubbles: true }));
    }
  },
  'arrow keys and Enter': (picker, from, to) => {
    day(picker, from).focus();
    key('Enter', 13);
    day(picker, from).focus();
    for (let moved = 0; moved < 15 && window.document.activeElement !== day(picker, to); moved += 1) key('ArrowRight', 39);
    key('Enter', 13);
  },
  'typed text': (picker, from, to) => {
    picker.input.value = `${from} to ${to}`;
    send(picker.input, new KeyboardEvent('keydown', { key: 'Enter', keyCode: 13, bubbles: true }));
  },
  setDate: (picker, from, to) => picker.setDate([from, to], true),
};
for (const [from, to] of [['2030-07-10', '2030-07-13'], ['2030-07-10', '2030-07-20'], ['2030-07-10', '2030-07-15']])
  for (const [name, choose] of Object.entries(ways)) {
    const input = window.document.body.appendChild(window.document.createElement('input'));
    const picker = flatpickr(input, { mode: 'range', inline: true, allowInput: true, disable: ['2030-07-15'] });
    picker.jumpToDate('2030-07-01');
    choose(picker, from, to);
    console.log(`${from} to ${to} by ${name}: ${picker.selectedDates.length === 2 ? `taken, "${input.value}"` : 'refused'}`);
    picker.destroy();
  }
process.exit();
END
TZ=UTC node nights.mjs > seen
cat seen
cat > expected <<'END'
2030-07-10 to 2030-07-13 by the mouse: taken, "2030-07-10 to 2030-07-13"
2030-07-10 to 2030-07-13 by arrow keys and Enter: taken, "2030-07-10 to 2030-07-13"
2030-07-10 to 2030-07-13 by typed text: taken, "2030-07-10 to 2030-07-13"
2030-07-10 to 2030-07-13 by setDate: taken, "2030-07-10 to 2030-07-13"
2030-07-10 to 2030-07-20 by the mouse: refused
2030-07-10 to 2030-07-20 by arrow keys and Enter: refused
2030-07-10 to 2030-07-20 by typed text: taken, "2030-07-10 to 2030-07-20"
2030-07-10 to 2030-07-20 by setDate: taken, "2030-07-10 to 2030-07-20"
2030-07-10 to 2030-07-15 by the mouse: refused
2030-07-10 to 2030-07-15 by arrow keys and Enter: refused
2030-07-10 to 2030-07-15 by typed text: refused
2030-07-10 to 2030-07-15 by setDate: refused
END
diff expected seen
