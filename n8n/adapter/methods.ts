import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions, ResourceMapperFields } from 'n8n-workflow';
import { eventTypesMethod, questionsMethod, searchMethod } from './names.ts';
import { lookupNames } from './panels.ts';

type Search = (this: ILoadOptionsFunctions, filter?: string, paginationToken?: unknown) => Promise<INodeListSearchResult>;

/** The searchable lists of the panels, page by page: one method for each lookup of the core. */
export const listSearch: Record<string, Search> = Object.fromEntries(
  lookupNames().map((lookup) => [
    searchMethod(lookup),
    async function (this: ILoadOptionsFunctions, filter?: string, paginationToken?: unknown) {
      const { search } = await import('./run.ts');
      return search(this, lookup, filter, paginationToken);
    },
  ]),
);

export const resourceMapping = {
  async [questionsMethod](this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
    const { questionFields } = await import('./run.ts');
    return questionFields(this);
  },
};

export const loadOptions = {
  async [eventTypesMethod](this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
    const { eventTypeOptions } = await import('./run.ts');
    return eventTypeOptions(this);
  },
};
