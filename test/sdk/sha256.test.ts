import { createHash, randomBytes } from 'node:crypto';
import { ownSha256, sha256 } from '../../sdk/changes/sha256.ts';

/** Lengths around each boundary of the padding, and texts that are not ASCII. */
const texts = [
  ...Array.from({ length: 140 }, (_, length) => 'a'.repeat(length)),
  'Grüße, 東京 😀',
  ...Array.from({ length: 200 }, () => randomBytes(90).toString('base64')),
  'b'.repeat(10_000),
];

it.each(['hex', 'base64url'] as const)('the hashes are the same without Node.js, in %s', (form) => {
  for (const text of texts) {
    const right = createHash('sha256').update(text).digest(form);
    expect(ownSha256(text, form)).toBe(right);
    expect(sha256(text, form)).toBe(right);
  }
});
