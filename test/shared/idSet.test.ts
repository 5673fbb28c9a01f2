import fc from 'fast-check';
import { IdSet } from '../../shared/api/idSet.ts';

/** Few letters and short ones too, so that ids come again and share their endings. */
const ids = fc.array(fc.oneof(fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b', '1', '\u{1F600}') }), fc.string()));

it('tells of every id once that it is new, and counts them, as a set does', () => {
  fc.assert(fc.property(ids, (all) => {
    const [known, plain] = [new IdSet(), new Set<string>()];
    for (const id of all) {
      expect(known.add(id)).toBe(!plain.has(id));
      plain.add(id);
      expect(known.size).toBe(plain.size);
    }
  }));
});
