/**
 * Keeps everything marked `data-live` up to date without a reload: it fetches the page that it is on and takes over what has changed, except
 * where somebody has the keyboard focus. The page also works without this script.
 */
const [toggle] = document.querySelectorAll('#live input');
const [news] = document.querySelectorAll('#live [role=status]');
if (toggle instanceof HTMLInputElement && news !== undefined)
  setInterval(async () => {
    if (!toggle.checked || document.hidden) return;
    try {
      const response = await fetch(location.href, { headers: { 'x-live': '1' } });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      news.textContent = '';
      for (const part of document.querySelectorAll('[data-live]')) {
        const now = page.getElementById(part.id);
        if (now !== null && part.innerHTML !== now.innerHTML && !part.contains(document.activeElement)) part.innerHTML = now.innerHTML;
      }
    } catch {
      news.textContent = 'The sandbox does not answer. Trying again.';
    }
  }, 2000);
