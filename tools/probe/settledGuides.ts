import { listEnvelope, recordEnvelope } from '../../shared/assumptions.ts';
import type { Settled } from './settled.ts';

/** Guides that say where the service's responses have things. */
export const guides = ['docs/guides/generic-clients.md', 'docs/templates/http-request.json'];
const inside = (at: string): string => (at === '' ? '' : `${at}.`);
/** How the guides write the places of facts around records, from the places that are assumed. */
const inGuides: readonly (readonly [name: string, assumed: string, written: (at: string) => readonly string[]])[] = [
  ['G2 envelope', recordEnvelope.recordKey, (at) => [`\`${inside(at)}`, `$json.${inside(at)}id`]],
  ['G1 list.items', listEnvelope.itemsKey, (at) => [`\`${at}[]`, `$json.${inside(at)}find(`]],
  ['G1 list.cursor', listEnvelope.cursorKey, (at) => [at]],
];

/** A guide with the places that the service was seen to use. */
export const guideOf = (text: string, settled: Settled): string =>
  inGuides.reduce((guide, [name, assumed, written]) => {
    const at = settled[name]?.at;
    const seen = at === undefined || assumed === '' ? [] : written(at);
    return written(assumed).reduce((before, each, index) => before.replaceAll(each, () => seen[index] ?? each), guide);
  }, text);
