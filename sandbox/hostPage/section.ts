import type { SQLInputValue } from 'node:sqlite';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env, Request } from '../context.ts';
import type { Parts } from '../parts.ts';
import { Refusal } from '../errors.ts';
import { lookUp } from '../lookup.ts';
import type { Account } from '../records.ts';
import type { Query, Table } from '../store.ts';
import { type Field, renderField, renderForm, sentFields } from './fields.ts';
import { type Html, type Section as SectionName, SECTIONS, type View } from './layout.ts';
import { type Column, renderFacts, renderTable, renderTabs } from './tables.ts';

/** What a host can do to a record: a button beside it or, if it has fields, a form on its page. */
interface Action<R> {
  label: string;
  danger?: true;
  isOffered: (record: R) => boolean;
  fields?: (record: R, account: Account) => Field[];
  /**
   * @returns a sentence about the result, and the page to show next unless it is the record's own
   * @throws {Refusal} if the service does not allow it
   */
  does: (record: R, values: URLSearchParams, account: Account) => { says: string; to?: string };
}

/** One kind of record: how a list and a page show it, and what can be done to it. */
export interface Section<R> {
  table: Table<R & { id: string }>;
  /** One record, as in "There is no booking bkg_1." */
  what: string;
  lead: (account: Account) => string;
  links?: Html;
  /** The parts of the list, by the name that is in the address; the first one is shown at first. Their conditions take these values. */
  parts: Record<string, { label: string; where: string; empty: string } & Pick<Query, 'by' | 'order'>>;
  values?: (account: Account) => SQLInputValue[];
  title: (record: R) => string;
  /** A line below the title. */
  note: (record: R, account: Account) => Html | string;
  columns: (account: Account) => Column<R>[];
  /** Everything about the record that a developer may look for, without any secret. */
  shown: (record: R) => object;
  /** What follows the list. */
  afterList?: (origin: string) => Html;
  actions: Record<string, Action<R>>;
}

/** A person reads no longer list. */
const MOST = 100;

/** What the host's pages share: how a page is shown, and the message that the next one shows. */
export interface Site {
  parts: Parts;
  show: (c: Request, view: View) => Response | Promise<Response>;
  tell: (kind: 'done' | 'refused', text: string) => void;
}

/** The list of a section, a page for each record, and what can be done there. */
export function sectionPages<R extends { id: string; account_id: string }>(
  name: SectionName,
  section: Section<R>,
  { parts, show, tell }: Site,
): Hono<Env> {
  const { path, label } = SECTIONS[name];
  const { table, what, title } = section;
  const named = (c: Request): R => lookUp(parts, table, c.get('account'), c.req.param('id') ?? '', what);
  const actions = Object.entries(section.actions);
  const quick = actions.filter(([, { fields }]) => fields === undefined);
  const buttons = (record: R): Html =>
    html`<div class="row">
      ${quick
        .filter(([, { isOffered }]) => isOffered(record))
        .map(([action, { label: does, danger }]) =>
          renderForm(`${path}/${record.id}/${action}`, does, `outline ${danger ? 'danger' : 'secondary'}`, title(record)),
        )}
    </div>`;

  /** @param tried the form that was refused */
  function showRecord(c: Request, record: R, tried?: { action: string; values: URLSearchParams }): Response | Promise<Response> {
    const account = c.get('account');
    return show(c, {
      title: title(record),
      section: name,
      lead: section.note(record, account),
      ...(tried && { status: 400 }),
      content: html`<div class="columns">
        <article>
          ${renderFacts(section.columns(account).map(({ label: fact, cell }) => [fact, cell(record)]))}
          <pre tabindex="0" role="region" aria-label="Record"><code>${JSON.stringify(section.shown(record), null, 2)}</code></pre>
        </article>
        <section aria-label="Actions">
          ${actions
            .filter(([, { isOffered }]) => isOffered(record))
            .map(([action, { label: does, danger, fields }]) => {
              const values = tried?.action === action ? tried.values : undefined;
              const rendered = fields?.(record, account).map((field, index) => renderField(`${action}-${index}`, field, values));
              const form = renderForm(`${path}/${record.id}/${action}`, does, danger ? 'outline danger' : '', undefined, rendered);
              return html`<article class="form">${form}</article>`;
            })}
        </section>
      </div>`,
    });
  }

  return new Hono<Env>()
    .get('/', (c) => {
      const account = c.get('account');
      const [first = ''] = Object.keys(section.parts);
      const asked = c.req.query('show') ?? '';
      const current = Object.hasOwn(section.parts, asked) ? asked : first;
      const { where = '', empty = '', label: part = '', ...order } = section.parts[current] ?? {};
      const values = section.values?.(account) ?? [account.id];
      const columns: Column<R>[] = [
        {
          label: `${what.charAt(0).toUpperCase()}${what.slice(1)}`,
          cell: (record) => html`<a href="${path}/${record.id}">${title(record)}</a><br /><small>${section.note(record, account)}</small>`,
        },
        ...section.columns(account),
        ...(quick.length > 0 ? [{ label: 'Action', cell: buttons }] : []),
      ];
      const tabs = Object.keys(section.parts).length > 1;
      return show(c, {
        title: label,
        section: name,
        lead: section.lead(account),
        ...(section.links && { actions: section.links }),
        content: html`${tabs && renderTabs({ path, current }, section.parts, (of) => table.count(of, values))}
        ${renderTable(name, tabs ? `${part} ${name}` : label, columns, table.all({ where, values, ...order, limit: MOST }), empty)}
        ${section.afterList?.(new URL(c.req.url).origin)}`,
      });
    })
    .get('/:id', (c) => showRecord(c, named(c)))
    .post('/:id/:action', (c) => {
      const record = named(c);
      const account = c.get('account');
      const wanted = c.req.param('action');
      const action = Object.hasOwn(section.actions, wanted) ? section.actions[wanted] : undefined;
      if (action === undefined) throw new Refusal('NOT_FOUND', `Nothing can be done at ${c.req.path}.`);
      const values = sentFields(c);
      let next: string | undefined;
      try {
        const { says, to } = action.does(record, values, account);
        next = to;
        c.get('entry').committed = true;
        tell('done', says);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const fields = action.fields?.(record, account) ?? [];
        const { details = [] } = error;
        // No form has the id as a field: the record has changed since the page was shown.
        const isOfForm = fields.length > 0 && details.length > 0 && details.every(({ field }) => field !== 'id');
        const labelOf = (field: string) => fields.find(({ name: known }) => known === field)?.label ?? field;
        const reasons = isOfForm ? details.map(({ field, message }) => `${labelOf(field)} ${message}.`) : [error.message];
        tell('refused', `Nothing was changed. ${reasons.join(' ')}`);
        if (isOfForm) return showRecord(c, record, { action: wanted, values });
      }
      // On a page of its own, so that a reload does not do it again.
      return c.redirect(next ?? (table.find(record.id) ? `${path}/${record.id}` : path), 303);
    });
}
