import { html } from 'hono/html';
import type { Html } from '../page.ts';
import { EVENT_WORDS } from '../events.ts';

/** How a person can cause each event of the service. */
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
