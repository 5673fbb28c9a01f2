import type { Records } from '../../shared/client/pages.ts';
import type { ServiceRecord } from '../../shared/records/records.ts';
import type { RecordList } from './api/list.ts';

/** How a list is read. */
export interface Reading {
  /**
   * @param limit the maximum number of records
   * @param note takes what a person should know about the result
   */
  begin: (limit: number | undefined, note: (sentence: string) => void) => Promise<AsyncIterable<ServiceRecord> | Records>;
  shown: (record: ServiceRecord) => ServiceRecord;
  /** Ends a wait for the service when the caller cancels the list. */
  guard: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Page size for lists that the service does not send in pages. */
const pageSize = 100;

/** @param limit the maximum number of records; by default all */
export function recordList({ begin, shown, guard }: Reading, limit: number | undefined): RecordList<ServiceRecord> {
  let note: string | undefined;
  async function* pages(max = limit): AsyncGenerator<ServiceRecord[]> {
    note = undefined;
    const records = await guard(() => begin(max, (sentence) => (note = note === undefined ? sentence : `${note} ${sentence}`)));
    const source = ('pages' in records ? records.pages() : inPages(records))[Symbol.asyncIterator]();
    try {
      for (let next = await guard(() => source.next()); next.done !== true; next = await guard(() => source.next())) {
        if (next.value.length > 0) yield next.value.map(shown);
      }
    } finally {
      await source.return?.();
    }
  }
  async function* one(): AsyncGenerator<ServiceRecord> {
    for await (const page of pages()) yield* page;
  }
  return {
    pages: () => pages(),
    [Symbol.asyncIterator]: () => one(),
    async all() {
      const all: ServiceRecord[] = [];
      for await (const page of pages()) all.push(...page);
      return all;
    },
    async first() {
      for await (const [first] of pages(1)) return first;
      return undefined;
    },
    get note() {
      return note;
    },
  };
}

async function* inPages(records: AsyncIterable<ServiceRecord>): AsyncGenerator<ServiceRecord[]> {
  let page: ServiceRecord[] = [];
  for await (const record of records) {
    page.push(record);
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  yield page;
}
