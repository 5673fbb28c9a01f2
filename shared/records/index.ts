/** What other parts use of records: what the service sends, under canonical names, and how it is shown. */
export type { OutputField, OutputKind } from './fields.ts';
export {
  answersField,
  mapped,
  mappedFields,
  outputFields,
  type OutputShape,
  show,
  inReadingOrder,
  isWide,
  mainFields,
  mainPart,
  simpleEventFields,
  simpleFields,
} from './outputs.ts';
export type { RecordKind, ServiceRecord } from './fields.ts';
export { resources, wordFor } from './resources.ts';
export { describeBooking, isOver, localTimeFields, localTimes, showTime, showTimes, tableOf, weekdayOf, zoneOf } from './localTimes.ts';
