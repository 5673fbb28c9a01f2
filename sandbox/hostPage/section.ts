import type { SQLInputValue } from 'node:sqlite';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env, Parts, Request } from '../context.ts';
import { Refusal } from '../errors.ts';
import { lookUp } from '../lookup.ts';
import type { Account } from '../records.ts';
import type { Query, Table } from '../store.ts';
import { errorSummary, type Field, type Filled, filledWith, renderField, renderForm, sentFields } from './fields.ts';
import { type Html, type Section as SectionName, SECTIONS, type View } from './layout.ts';
import { type Column, renderFacts, renderPage, renderTabs } from './tables.ts';

/** What a host can do to a record, as a button beside it or, if it has fields, as a form on its page. */
export interface Action<R> {
  label: string;
  isOffered: (record: R) => boolean;
  danger?: true;
  /** Also a link or button in the list. */
  isListed?: true;
  form?: (record: R, account: Account) => { fields: Field[]; values?: Record<string, string> };
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
  values: (account: Account) => SQLInputValue[];
  title: (record: R) => string;
  /** A line below the title. */
  note: (record: R, account: Account) => Html | string;
  columns: (account: Account) => Column<R>[];
  /** What the record's page shows beyond the columns. */
  facts?: (record: R, account: Account) => (readonly [name: string, value: Html | string | null])[];
  /** What follows on the record's page. */
  more?: (record: R, account: Account) => Html;
  /** What follows the list. */
  afterList?: (origin: string) => Html;
  actions: Record<string, Action<R>>;
}

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
  const actions = Object.entries(section.actions);
  const named = (c: Request): R => lookUp(parts, section.table, c.get('account'), c.req.param('id') ?? '', section.what);

  /** @param tried the form that was refused */
  function showRecord(c: Request, record: R, tried?: { action: string; filled: Filled }): Response | Promise<Response> {
    const account = c.get('account');
    const facts = [
      ...section.columns(account).map((column) => [column.label, column.cell(record)] as const),
      ...(section.facts?.(record, account) ?? []),
    ];
    return show(c, {
      title: section.title(record),
      section: name,
      lead: section.note(record, account),
      ...(tried && { status: 400 }),
      content: html`<div class="columns">
          <article>${renderFacts(facts.flatMap(([fact, value]) => (value === null ? [] : [[fact, value] as const])))}</article>
          <section aria-label="Actions">
            ${actions
              .filter(([, { isOffered }]) => isOffered(record))
              .map(([action, { label: does, danger, form }]) => {
                const { fields, values } = form?.(record, account) ?? { fields: [] };
                const filled = tried?.action === action ? tried.filled : filledWith(values);
                return html`<article class="form">
                  ${errorSummary(fields, filled)}
                  ${renderForm(`${path}/${record.id}/${action}`, does, {
                    kind: danger ? 'danger' : 'main',
                    fields: fields.map((field) => renderField(action, field, filled)),
                  })}
                </article>`;
              })}
          </section>
        </div>
        ${section.more?.(record, account)}`,
    });
  }

  return new Hono<Env>()
    .get('/', (c) => {
      const account = c.get('account');
      const [first = ''] = Object.keys(section.parts);
      const asked = c.req.query('show') ?? '';
      const current = Object.hasOwn(section.parts, asked) ? asked : first;
      const { where = '', empty = '', label: part = '', ...order } = section.parts[current] ?? {};
      const values = section.values(account);
      const columns = [
        recordColumn(name, section, account),
        ...section.columns(account),
        ...(actions.some(([, { isListed }]) => isListed) ? [{ label: 'Action', cell: listedActions(path, section) }] : []),
      ];
      const tabs = Object.keys(section.parts).length > 1;
      return show(c, {
        title: label,
        section: name,
        lead: section.lead(account),
        ...(section.links && { actions: section.links }),
        content: html`${tabs && renderTabs({ path, current }, section.parts, (of) => section.table.count(of, values))}
        ${renderPage(
          c,
          section.table,
          { where, values, ...order },
          { id: name, caption: tabs ? `${part} ${name}` : label, columns, empty },
        )}
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
        // No form has the id as a field, so the record has changed since the page was shown.
        if (action.form !== undefined && error.details?.every(({ field }) => field !== 'id') === true) {
          return showRecord(c, record, { action: wanted, filled: { values, errors: error.details } });
        }
        tell('refused', `Nothing was changed. ${error.message}`);
      }
      // On a page of its own, so that a reload does not do it again.
      return c.redirect(next ?? (section.table.find(record.id) ? `${path}/${record.id}` : path), 303);
    });
}

/** The record's title, as a link to its page. */
export const recordColumn = <R extends { id: string }>(
  name: SectionName,
  { what, title, note }: Section<R>,
  account: Account,
): Column<R> => ({
  label: `${what.charAt(0).toUpperCase()}${what.slice(1)}`,
  cell: (record) => html`<a href="${SECTIONS[name].path}/${record.id}">${title(record)}</a><br /><small>${note(record, account)}</small>`,
});

/** A form is on the record's own page, so the list links to it. */
const listedActions =
  <R extends { id: string }>(path: string, { actions, title }: Section<R>) =>
  (record: R): Html =>
    html`<div class="row">
      ${Object.entries(actions)
        .filter(([, { isListed, isOffered }]) => isListed && isOffered(record))
        .map(([action, { label, danger, form }]) => {
          const about = `${label} ${title(record)}`;
          return form === undefined
            ? renderForm(`${path}/${record.id}/${action}`, label, { kind: danger ? 'danger' : 'quiet', name: about })
            : html`<a href="${path}/${record.id}" aria-label="${about}">${label}</a>`;
        })}
    </div>`;
