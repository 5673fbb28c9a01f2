/** Times with and without an offset. The exports of this folder for other folders. */
export { inZone, instantsBetween, noOffset } from './time.ts';
export { isZone, zoneFault } from './zones.ts';
