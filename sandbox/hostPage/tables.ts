import type { SQLInputValue } from 'node:sqlite';
import { html } from 'hono/html';
import type { Request } from '../context.ts';
import type { Query, Table } from '../store.ts';
import type { Html } from './layout.ts';

export const PAGE_SIZE = 10;

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

/** The requested page of a list, with links to the previous and the next one. An empty list has one page. */
export function renderPage<R extends { id: string }>(
  c: Request,
  table: Table<R>,
  query: Query & { where: string; values: SQLInputValue[] },
  { id, caption, columns, empty }: { id: string; caption: string; columns: Column<R>[]; empty: string },
): Html {
  const text = c.req.query('page') ?? '1';
  const page = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
  const pages = Math.max(1, Math.ceil(table.count(query.where, query.values) / PAGE_SIZE));
  const records = table.all({ ...query, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE });
  const to = (number: number): string => {
    const url = new URL(c.req.url);
    url.searchParams.set('page', String(number));
    return `${url.pathname}${url.search}`;
  };
  return html`${renderTable(id, caption, columns, records, empty)}
  ${(page > 1 || pages > 1) &&
  html`<nav aria-label="Pages">
    ${page > 1 ? html`<a href="${to(page - 1)}" rel="prev">Previous</a>` : html`<span></span>`}
    <span>Page ${page} of ${pages}</span>
    ${page < pages ? html`<a href="${to(page + 1)}" rel="next">Next</a>` : html`<span></span>`}
  </nav>`}`;
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
