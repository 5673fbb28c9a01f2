/** What the service sends, under canonical names, and how it is shown: what other parts use of it. */
export type { OutputField, OutputKind } from './fields.ts';
export { outputFields, type Shape, show } from './outputs.ts';
export { inReadingOrder } from './readingOrder.ts';
export type { RecordKind, ServiceRecord } from './records.ts';
export { resources, wordFor } from './resources.ts';
export { isWide, simpleFields, simplify } from './simplify.ts';
export { hasStatus } from './status.ts';
