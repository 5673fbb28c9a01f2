import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import type { LookupName } from '../../shared/define.ts';
import { lookups } from '../../shared/lookups/index.ts';
import { nodeError } from './errors.ts';
import { methodSuffix } from './names.ts';
import { clientFor } from './service.ts';

/** The name under which a panel asks for a list. */
export const searchMethod = (lookup: LookupName): string => `search${methodSuffix(lookup)}`;

type Search = (this: ILoadOptionsFunctions, filter?: string, paginationToken?: unknown) => Promise<INodeListSearchResult>;

/** The searchable, paged lists of the panels: one method for each lookup of the core. */
export const listSearch: Record<string, Search> = Object.fromEntries(
  (Object.keys(lookups) as LookupName[]).map((name) => [
    searchMethod(name),
    async function (this: ILoadOptionsFunctions, filter?: string, paginationToken?: unknown): Promise<INodeListSearchResult> {
      try {
        const client = await clientFor(this);
        const { choices, cursor, note } = await lookups[name].page(client, {
          ...(filter !== undefined && filter !== '' && { text: filter }),
          ...(typeof paginationToken === 'string' && { cursor: paginationToken }),
        });
        const results = choices.map(({ value, label }): INodeListSearchItems => ({ name: label, value }));
        // n8n's lists have no place for a remark: it stands as a last line that chooses nothing.
        if (note !== undefined && cursor === undefined) results.push({ name: note, value: '' });
        return { results, ...(cursor !== undefined && { paginationToken: cursor }) };
      } catch (error) {
        throw nodeError(this.getNode(), error);
      }
    },
  ]),
);
