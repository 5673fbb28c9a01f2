/** The records of a list. Nothing is asked for before they are read, and no page before it is needed. */
export interface RecordList<Each> extends AsyncIterable<Each> {
  /** All of them at once. */
  all(): Promise<Each[]>;
  /** The first one; `undefined` where there is none. */
  first(): Promise<Each | undefined>;
  /** The same page by page, as the service gives them: up to 100 records each. */
  pages(): AsyncIterable<Each[]>;
}
