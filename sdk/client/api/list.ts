/** The records of a list. Nothing is requested until they are read, and each page only when it is needed. */
export interface RecordList<Each> extends AsyncIterable<Each> {
  /** All records at once. */
  all(): Promise<Each[]>;
  /** The first record, or `undefined` if there is none. */
  first(): Promise<Each | undefined>;
  /** The records page by page, as the service sends them: up to 100 on each. */
  pages(): AsyncIterable<Each[]>;
  /** What you should know about the result, once you have read it: a search of a large account, for example, reads only a part of it. */
  readonly note: string | undefined;
}
