import { html } from 'hono/html';
import type { Html } from './layout.ts';

export interface Column<R> {
  label: string;
  cell: (record: R) => Html | string;
}

/**
 * A table, shown as cards on a phone. The ARIA roles keep it a table for screen readers, whatever its cells look like.
 *
 * @param id what style sheets and the start page's script find it by
 */
export function renderTable<R>(id: string, caption: string, columns: Column<R>[], records: R[], empty: string): Html {
  return html`<table role="table" id="${id}">
    <caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(({ label }) => html`<th role="columnheader" scope="col">${label}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${records.map(
        (record) =>
          html`<tr role="row">
            ${columns.map(({ label, cell }) => html`<td role="cell" data-label="${label}"><div>${cell(record)}</div></td>`)}
          </tr>`,
      )}${records.length === 0 &&
      html`<tr role="row" class="empty">
        <td role="cell" colspan="${columns.length}">${empty}</td>
      </tr>`}
    </tbody>
  </table>`;
}

/**
 * Links to the parts of a list, each with the number of its records.
 *
 * @param count how many records meet a part's condition
 */
export function renderTabs(
  { path, current }: { path: string; current: string },
  parts: Record<string, { label: string; where: string }>,
  count: (where: string) => number,
): Html {
  return html`<nav aria-label="Filter">
    <ul>
      ${Object.entries(parts).map(
        ([name, part]) =>
          html`<li>
            <a href="${path}?show=${name}" ${name === current && html`aria-current="page"`}
              >${part.label} <small>${count(part.where)}</small></a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

/** Names with what belongs to each. */
export function renderFacts(facts: (readonly [name: string, value: Html | string])[]): Html {
  return html`<dl>
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** @param kind whether the text is good or bad news */
export function badge(kind: 'good' | 'warn' | 'bad' | 'info' | 'quiet', text: string): Html {
  return html`<span class="badge ${kind}">${text}</span>`;
}
