import { html } from 'hono/html';
import { ApiRefusal } from '../errors.ts';
import { lookUp } from '../lookup.ts';
import type { SandboxParts } from '../parts.ts';
import type { Owned } from '../records.ts';
import type { Table } from '../store.ts';
import { type Column, type HostHtml, renderTable, SECTIONS, type SectionName, type View } from './layout.ts';

/** An action on a record: a button beside it, and a call of the host interface. */
interface Action<R> {
  label: string;
  danger?: true;
  isOffered?: (record: R) => boolean;
  /** An example of the input, which a person may send unchanged. */
  input?: (record: R) => object;
  /**
   * @returns a sentence about the result
   * @throws {ApiRefusal} if the service does not allow it
   */
  does: (record: R, input: unknown) => string;
}

/** One kind of record of the first account, as data: its table, and the actions on each record. */
interface SectionKind<R> {
  table: Table<R & { id: string }>;
  /** The order of creation; by default, the newest is first. */
  order?: 'oldest' | 'newest';
  /** The word for one record, as in "There is no booking bkg_1." */
  what: string;
  lead: () => string;
  empty: string;
  title: (record: R) => string;
  columns: Column<R>[];
  /** Everything about the record that a developer may look for, without secrets. */
  shown: (record: R) => object;
  actions: Record<string, Action<R>>;
  /** The content below the table. @param origin of the sandbox */
  after?: (origin: string) => HostHtml;
}

/** An action on one record. */
interface DoneAction {
  id: string;
  action: string;
}

type Refused = DoneAction & { text: string };

export interface RecordSection {
  /** @param refused the action that was just refused: its form stays open, with the typed text */
  view: (origin: string, refused?: Refused) => View;
  /** @throws {ApiRefusal} also if there is no such record or action */
  act: (done: DoneAction, input: unknown) => string;
}

/** The most rows of a table: nobody reads more. */
const MOST = 100;

export function sectionOf<R extends Owned>(
  name: SectionName,
  parts: SandboxParts,
  { table, what, lead, empty, title, columns, shown, actions, after, order = 'newest' }: SectionKind<R>,
): RecordSection {
  const owner = () => parts.store.accounts.first();

  const buttons = (record: R, refused?: Refused): HostHtml =>
    html`<div class="row">
      ${Object.entries(actions)
        .filter(([, { isOffered }]) => isOffered?.(record) !== false)
        .map(([action, { label, danger, input }]) => {
          const isRefused = refused?.id === record.id && refused.action === action;
          const text = isRefused ? refused.text : input && JSON.stringify(input(record), null, 2);
          const form = html`<form method="post" action="/host/${name}/${record.id}/${action}">
            ${text !== undefined &&
            html`<textarea name="input" rows="${text.split('\n').length}" aria-label="What to send" spellcheck="false">${text}</textarea>`}
            <button class="outline ${danger ? 'danger' : 'secondary'}" aria-label="${label} ${title(record)}">${label}</button>
          </form>`;
          return text === undefined ? form : disclosed(label, form, isRefused);
        })}
      ${disclosed('Record', html`<pre><code>${JSON.stringify(shown(record), null, 2)}</code></pre>`)}
    </div>`;

  return {
    view: (origin, refused) => ({
      title: SECTIONS[name],
      section: name,
      lead: lead(),
      content: html`${renderTable(
        name,
        SECTIONS[name],
        [...columns, { label: 'Actions', cell: (record) => buttons(record, refused) }],
        table.all({ where: 'account = ?', values: [owner().id], order, limit: MOST }),
        empty,
      )}${after?.(origin)}`,
    }),
    act({ id, action }, input) {
      const record = lookUp(parts.forms, table, owner(), id, what);
      const chosen = Object.hasOwn(actions, action) ? actions[action] : undefined;
      if (chosen === undefined) throw new ApiRefusal('NOT_FOUND', `There is no ${action.slice(0, 80)} for a ${what}.`);
      return chosen.does(record, input);
    },
  };
}

const disclosed = (label: string, content: HostHtml, isOpen = false): HostHtml =>
  html`<details ${isOpen && 'open'}>
    <summary>${label}</summary>
    ${content}
  </details>`;
