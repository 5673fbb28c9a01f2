import { sign, verify } from '../../shared/webhooks/signature.ts';
import { vectors } from './vectors.ts';

it.each(vectors)('vector $id ($result): $comment', ({ key, message, tag, result }) => {
  const [secret, body] = [Buffer.from(key, 'hex'), Buffer.from(message, 'hex')];
  // Half a tag is valid too. A verifier that accepts it can be guessed, so only the whole tag counts.
  expect(verify(body, `sha256=${tag}`, secret) === 'valid').toBe(result === 'valid' && tag.length === 64);
  expect(sign(body, secret).startsWith(`sha256=${tag}`)).toBe(result === 'valid');
});

it('holds valid, changed and halved tags', () => {
  const count = (result: string, length: number) => vectors.filter((each) => each.result === result && each.tag.length === length).length;
  expect([count('valid', 64), count('invalid', 64), count('valid', 32), count('invalid', 32)]).toEqual([5, 12, 5, 2]);
});
