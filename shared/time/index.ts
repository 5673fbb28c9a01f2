/** Times in two zones: what other parts use of it. */
export { addLocalTimes, describeBooking, isOver, localTimeFields, showTime, showTimes, tableOf, zoneOf } from './localTimes.ts';
export { inZone, instantsBetween, noOffset } from './time.ts';
export { isAmbiguousZone, isZone } from './zones.ts';
