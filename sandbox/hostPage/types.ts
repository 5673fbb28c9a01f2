import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env } from '../context.ts';
import type { Html } from '../page.ts';
import type { EventType } from '../records.ts';
import { badge } from './list.ts';
import type { Site } from './site.ts';

/** The event types, each with its questions and a link to book it. */
export function typePages(site: Site): Hono<Env> {
  const { store } = site.parts;
  return new Hono<Env>().get('/', (c) => {
    const types = store.eventTypes.all({ where: 'account = ?', values: [c.get('account').id] });
    return site.show(c, {
      title: 'Event types',
      section: 'types',
      lead: 'What invitees can book, and the questions they answer.',
      content: html`<ul class="grid">
        ${types.map(card)}
      </ul>`,
    });
  });
}

function card({ id, name, description, duration_minutes, location, active, requires_approval, questions }: EventType): Html {
  return html`<li class="card type">
    <h2>${name}</h2>
    <p class="badges">
      ${badge('quiet', `${duration_minutes} min`)} ${badge('quiet', location)} ${requires_approval ? badge('warn', 'Needs approval') : ''}
      ${active ? '' : badge('bad', 'Inactive')}
    </p>
    <p>${description}</p>
    ${questions.length === 0
      ? html`<p class="hint">No questions.</p>`
      : html`<details>
          <summary>${questions.length === 1 ? '1 question' : `${questions.length} questions`}</summary>
          <ul class="questions">
            ${questions.map(({ label, type, required }) => html`<li>${label} <small>${type}${required ? ', required' : ''}</small></li>`)}
          </ul>
        </details>`}
    ${active
      ? html`<p class="last"><a class="button" href="/host/types/${id}/book" aria-label="Book ${name}">Book</a></p>`
      : html`<p class="hint last">Cannot be booked.</p>`}
  </li>`;
}
