import { createHash } from 'node:crypto';
import { brand } from '../../shared/brand.ts';
import type { Page } from '../rigs/zapier/backend.ts';
import type { Zap } from '../rigs/zapier/zap.ts';
import { about, labelOf } from './words.ts';

/** How often the page refreshes, in seconds. */
const again = 3;

/** In the manner of the service's own pages. */
const style = `
  :root { color-scheme: light dark; --ground: #f4f6f9; --card: #fff; --text: #1b2430; --muted: #566173; --line: #dde2ea; --link: #2450c4;
    font: 16px/1.5 system-ui, 'Segoe UI', Roboto, 'Liberation Sans', Arial, sans-serif; }
  @media (prefers-color-scheme: dark) {
    :root { --ground: #10141a; --card: #191f28; --text: #e5eaf1; --muted: #9daabb; --line: #2c3542; --link: #93b2ff; }
  }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; background: var(--ground); color: var(--text); }
  h1 { font-size: 1.55rem; line-height: 1.25; }
  p { color: var(--muted); }
  a { color: var(--link); }
  table { border-collapse: separate; border-spacing: 0; width: 100%; background: var(--card); border: 1px solid var(--line);
    border-radius: .75rem; }
  th, td { text-align: left; padding: .7rem 1rem; vertical-align: top; overflow-wrap: anywhere; }
  th { font-size: .85rem; color: var(--muted); }
  td { border-top: 1px solid var(--line); }
  @media (max-width: 40rem) { th:first-child, td:first-child { display: none; } }
`;

/** Refreshes the page, but keeps text that is being read out or selected. */
const script = `
  setInterval(async () => {
    try {
      const page = new DOMParser().parseFromString(await (await fetch('/')).text(), 'text/html');
      const [now, next] = [document, page].map((each) => each.querySelector('main'));
      if (now.innerHTML !== next.innerHTML) now.innerHTML = next.innerHTML;
    } catch {
      document.title = 'Stopped';
    }
  }, ${again * 1000});
`;

/** Allows only the page's own style and script, and nothing from elsewhere. */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The page that shows what the Zap has received since this start, newest first, and what it dropped. @param service where to book */
export function zapPage(zap: Pick<Zap, 'trigger' | 'outcomes'>, service: string): Page {
  const rows = zap.outcomes.flatMap(({ items, error, arrivedAt }) => {
    const at = new Date(arrivedAt).toTimeString().slice(0, 8);
    if (items.length === 0)
      return [[at, 'Dropped', error === undefined ? 'It was forged or repeated, so nothing started.' : error.message]];
    return items.map((item) => [at, labelOf(String(item['event'])), about(item)]);
  });
  const cells = (row: readonly string[]): string => row.map((cell) => `<td>${escaped(cell)}</td>`).join('');
  const table = `<table><thead><tr><th>Received</th><th>Event</th><th>What started</th></tr></thead><tbody>
${rows
  .reverse()
  .map((row) => `<tr>${cells(row)}</tr>`)
  .join('\n')}
</tbody></table>`;
  const book = `<a href="${escaped(service)}/host">${escaped(brand.name)}’s page</a>`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What the Zap received</title>
<style>${style}</style>
</head>
<body>
<main aria-live="polite">
<h1>What the Zap received</h1>
<p>This page stands in for Zapier. A Zap with the trigger ${escaped(labelOf(zap.trigger.toUpperCase()))} is turned on here. Make a booking at ${book}, and it appears on this page, which updates every ${again} seconds.</p>
${rows.length === 0 ? '<p>Nothing has arrived yet.</p>' : table}
</main>
<script>${script}</script>
</body>
</html>
`;
  return { html, policy };
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
