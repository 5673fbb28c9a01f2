/** Times with and without an offset: what other parts use of it. */
export { inZone, instantsBetween, noOffset } from './time.ts';
export { isZone, zoneFault } from './zones.ts';
