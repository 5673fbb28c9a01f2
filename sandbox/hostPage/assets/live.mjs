/**
 * Keeps everything marked `data-live` up to date without a reload: it fetches the page that it is on and
 * replaces the rows that have changed. The page also works without this script.
 */
const lists = [...document.querySelectorAll('[data-live]')];
const place = document.querySelector('[data-live-switch]');
if (lists.length > 0 && place !== null) {
  const news = document.createElement('span');
  news.setAttribute('role', 'status');
  const toggle = document.createElement('input');
  toggle.type = 'checkbox';
  toggle.checked = true;
  const label = document.createElement('label');
  label.append(toggle, ' Live');
  place.replaceChildren(news, label);

  setInterval(async () => {
    if (!toggle.checked || document.hidden) return;
    try {
      const response = await fetch(location.href, { headers: { 'x-live': '1' } });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const added = lists.reduce((sum, list) => sum + takeOver(list, page.getElementById(list.id)), 0);
      if (added > 0) news.textContent = `${added} new`;
    } catch {
      news.textContent = 'The sandbox does not answer. Trying again.';
    }
  }, 2000);
}

/**
 * Leaves unchanged rows in place, and also a row that has the keyboard focus.
 *
 * @param {Element} list
 * @param {Element | null} now
 * @returns {number} how many rows are new
 */
function takeOver(list, now) {
  if (now === null || list.innerHTML === now.innerHTML) return 0;
  const known = new Map([...list.children].map((row) => [row.getAttribute('data-key'), row]));
  const at = document.activeElement;
  let added = 0;
  const rows = [...now.children].map((row) => {
    const key = row.getAttribute('data-key');
    const before = known.get(key);
    if (key === null || (before !== undefined && before.innerHTML !== row.innerHTML && !before.contains(at))) return row;
    if (before !== undefined) return before;
    added += 1;
    row.classList.add('new');
    return row;
  });
  list.replaceChildren(...rows);
  // Moving a row would take the focus away from what is inside it.
  if (at instanceof HTMLElement && list.contains(at)) at.focus({ preventScroll: true });
  return added;
}
