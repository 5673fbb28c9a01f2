import type { Bundle, ZObject } from 'zapier-platform-core';
import { type LookupName, lookups } from '../../shared/operations/index.ts';
import { clientFor } from './connection.ts';
import { guarded } from './errors.ts';

/** A list to choose from, page by page. The field itself loads it, so no hidden trigger is needed. */
export const dropdown = (name: LookupName) => ({
  perform: guarded(async (z: ZObject, { meta }: Bundle) => {
    // On a terminal, Zapier's own tool passes null for the first page, although the type says otherwise.
    const { choices, cursor, note } = await lookups[name].page(clientFor(z), { cursor: meta.paging_token ?? undefined });
    const results = choices.map(({ value, label }) => ({ id: value, label }));
    // The note is an entry without a value: if someone chooses it by mistake, the field stays empty.
    return { results: note === undefined ? results : [...results, { id: '', label: note }], paging_token: cursor ?? null };
  }),
});
