import assumptions from '../../../shared/assumptions.json' with { type: 'json' };
import { everywhere, keyEvidence } from './index.ts';
import { code, table } from '../../../tools/docs/reference.ts';

/** The sections of the public document. */
const sections = [
  'what the service does',
  'resources and their fields',
  'states and transitions',
  'endpoints',
  'authentication',
  'events',
  'errors',
  'limits',
  'versioning',
];

const gaps = new Set(Object.values(assumptions).map(({ number }) => number));

/** A source as readers look it up: sections with their titles, assumptions and reports as links. */
function shown(source: string): string {
  const [, section] = /^section (\d)$/.exec(source) ?? [];
  if (section !== undefined) return `Section ${section}: ${sections[Number(section) - 1]}`;
  // A gap that the service has settled is no longer in the table of assumptions.
  if (/^G\d+$/.test(source)) return `[${source}](assumptions.md)${gaps.has(source) ? '' : ', settled'}`;
  return /^\S+\/\S+#\d+$/.test(source) ? `[${source}](https://github.com/${source.replace('#', '/issues/')})` : source;
}

/** One name for a requirement on every operation, status, service or kind of input. */
const general = (id: string): string =>
  id
    .replace(/^\w+\.\w+:/, 'OPERATION:')
    .replace(/\([^)]*\)/, '')
    .replace(/:\d{3}:/, ':STATUS:')
    .replace(/^service:[^:]+/, 'service:NAME');

/** A sort key: sections first, then assumptions, each by number. */
const order = (source: string): string =>
  (/^(?:section |G\d)/.test(source) ? ' ' : '') + source.replace(/^G/, 'sectionG').replace(/\d+/, (number) => number.padStart(4, '0'));

/** The contract of every platform, grouped by the sources of its requirements. */
export function contractTable(): string {
  const bySource = Map.groupBy([...everywhere, ...keyEvidence], ({ source }) => source);
  const sources = [...bySource].sort(([one], [other]) => (order(one) < order(other) ? -1 : 1));
  return table(
    ['Source', 'Requirements'],
    sources.map(([source, ones]) => [shown(source), [...new Set(ones.map(({ id }) => code(general(id))))].join(', ')]),
  );
}
