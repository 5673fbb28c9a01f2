import type { Forms } from './variants.ts';

export type Shown = Record<string, unknown>;

/** An object with each value at its path: `meta.next` is `next` in `meta`. */
export function placed(...values: (readonly [place: string, value: unknown])[]): Shown {
  const whole: Shown = {};
  for (const [place, value] of values) {
    const keys = place.split('.');
    const holder = keys.slice(0, -1).reduce<Shown>((outer, key) => (outer[key] ??= {}) as Shown, whole);
    holder[keys.at(-1) ?? ''] = value;
  }
  return whole;
}

/** The cursor of a page without a next one. */
const ENDS: Readonly<Record<Forms['end'], unknown>> = { null: null, false: false, empty: '', absent: undefined };

/** Where a page that claims to be the last one also says that more follow. */
const CONTRADICTIONS: Readonly<Record<string, (next: string) => readonly [place: string, value: unknown]>> = {
  more: () => ['has_more', true],
  link: (next) => ['links.next', `?cursor=${encodeURIComponent(next)}`],
  other: (next) => ['cursor', next],
  unnamed: () => ['links.next', '?page=2'],
};

/** The envelopes of records in the chosen forms: G1, G2, G9 and G13. */
export function createEnvelopes(forms: Forms) {
  const nameOf = (name: string): string => (name === 'hook' ? forms.hookName : name);

  /** One record (G2). */
  const single = (name: string, record: unknown): Shown =>
    forms.single === 'root' ? (record as Shown) : placed([forms.single === 'named' ? nameOf(name) : forms.single, record]);

  return {
    single,
    /** A subscription at its creation: the only time its secret is shown (section 2, G9). */
    created: (record: unknown, secret: object): Shown =>
      forms.secret === 'inside' ? single('hook', { ...(record as Shown), ...secret }) : { ...single('hook', record), ...secret },
    /** A page of a list (G1). @param next the cursor of the page after it */
    list(plural: string, items: readonly unknown[], next: string | null): object {
      const { list, cursor, end, hasMore, contradiction } = forms;
      if (list === 'array') return items;
      const denied = next === null ? undefined : CONTRADICTIONS[contradiction]?.(next);
      const shown = denied !== undefined ? null : (next ?? ENDS[end]);
      return placed(
        [list === 'plural' ? `${nameOf(plural.slice(0, -1))}s` : list, items],
        ...(cursor === 'none' || shown === undefined ? [] : [[cursor, shown] as const]),
        ...(hasMore === 'present' ? [[`${cursor.slice(0, cursor.lastIndexOf('.') + 1)}has_more`, next !== null] as const] : []),
        ...(denied === undefined ? [] : [denied]),
      );
    },
    /** The body of a delivery (G13). @param name of the kind of record. @param at when the event happened */
    delivered(event: string, name: string, record: unknown, at: unknown): Shown {
      const { deliveryEvent, deliveryRecord: place } = forms;
      const said = { name: event, other: event.toLowerCase().replace('_', '.'), absent: undefined }[deliveryEvent];
      const about = { ...(said !== undefined && { event: said }), created_at: at };
      return place === 'root' ? { ...about, ...(record as Shown) } : { ...about, ...placed([place === 'named' ? name : place, record]) };
    },
  };
}
