/**
 * Keeps everything marked `data-live` up to date without a reload: it fetches the page that it is on and
 * replaces the rows that have changed. The page also works without this script.
 */
const EVERY_MS = 2000;
const REMEMBERED = 'paused';

const lists = [...document.querySelectorAll('[data-live]')];
const place = document.querySelector('[data-live-switch]');
if (lists.length > 0 && place !== null) begin(place);

/** @param {Element} place */
function begin(place) {
  const toggle = document.createElement('input');
  toggle.type = 'checkbox';
  toggle.checked = sessionStorage.getItem(REMEMBERED) === null;
  toggle.addEventListener('change', () =>
    toggle.checked ? sessionStorage.removeItem(REMEMBERED) : sessionStorage.setItem(REMEMBERED, 'yes'),
  );
  const label = document.createElement('label');
  label.append(toggle, ' Live');
  const news = document.createElement('span');
  news.setAttribute('role', 'status');
  place.replaceChildren(news, label);

  setInterval(() => {
    if (!toggle.checked || document.hidden) return;
    refresh().then(
      (added) => {
        if (added > 0) news.textContent = `${added} new`;
      },
      () => {
        news.textContent = 'The sandbox does not answer. Trying again.';
      },
    );
  }, EVERY_MS);
}

/** @returns {Promise<number>} how many rows are new */
async function refresh() {
  const response = await fetch(location.href, { headers: { 'x-live': '1' } });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  return lists.reduce((added, list) => {
    const now = page.getElementById(list.id);
    return now === null ? added : added + takeOver(list, now);
  }, 0);
}

/**
 * Leaves unchanged rows in place, and also a row that has the keyboard focus.
 *
 * @param {Element} list
 * @param {Element} now
 */
function takeOver(list, now) {
  if (list.innerHTML === now.innerHTML) return 0;
  const known = new Map([...list.children].map((row) => [keyOf(row), row]));
  const at = document.activeElement;
  let added = 0;
  const rows = [...now.children].map((row) => {
    const before = known.get(keyOf(row));
    if (before !== undefined && (before.innerHTML === row.innerHTML || before.contains(at))) return before;
    if (before === undefined && row.hasAttribute('data-key')) {
      added += 1;
      row.classList.add('new');
    }
    return row;
  });
  list.replaceChildren(...rows);
  // Moving a row would take the focus away from what is inside it.
  if (at instanceof HTMLElement && list.contains(at)) at.focus({ preventScroll: true });
  return added;
}

/** @param {Element} row */
function keyOf(row) {
  return row.getAttribute('data-key') ?? String([...(row.parentElement?.children ?? [])].indexOf(row));
}
