import type { Bundle, ZObject } from 'zapier-platform-core';
import type { LookupName } from '../../shared/define.ts';
import { lookups } from '../../shared/lookups/index.ts';
import { clientFor } from './connection.ts';
import { guarded } from './errors.ts';

/** A list to choose from, page by page. It needs no hidden trigger: the field itself asks. */
export const dropdown = (name: LookupName) => ({
  perform: guarded(async (z: ZObject, { meta }: Bundle) => {
    // Zapier's own tool on a terminal gives null for the first page, whatever the type says.
    const { choices, cursor, note } = await lookups[name].page(clientFor(z), { cursor: meta.paging_token ?? undefined });
    const results = choices.map(({ value, label }) => ({ id: value, label }));
    // The note is an entry without a value: chosen by mistake, it leaves the field empty.
    return { results: note === undefined ? results : [...results, { id: '', label: note }], paging_token: cursor ?? null };
  }),
});
