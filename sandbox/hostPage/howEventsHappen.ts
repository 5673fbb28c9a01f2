import { html } from 'hono/html';
import type { Html } from '../page.ts';
import { EVENT_WORDS } from '../events.ts';

/** How each event of the service is made to happen by hand. */
export function howEventsHappen(): Html {
  return html`<details class="card action">
    <summary><span>How to trigger each event</span></summary>
    <dl>
      ${Object.entries(EVENT_WORDS).map(
        ([event, { how }]) =>
          html`<div>
            <dt><code>${event}</code></dt>
            <dd>${how}</dd>
          </div>`,
      )}
    </dl>
  </details>`;
}
