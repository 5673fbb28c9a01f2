import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sign, verify } from '../../shared/webhooks/signature.ts';

interface Vector {
  tcId: number;
  comment: string;
  key: string;
  msg: string;
  tag: string;
  result: 'valid' | 'invalid';
}
interface Vectors {
  numberOfTests: number;
  testGroups: { keySize: number; tagSize: number; tests: Vector[] }[];
}

const file = JSON.parse(readFileSync(join(__dirname, 'data', 'hmac_sha256_test.json'), 'utf8')) as Vectors;
const vectors = file.testGroups.flatMap(({ tagSize, tests }) => tests.map((vector) => ({ ...vector, tagSize })));

it('holds all 174 public vectors', () => {
  expect(vectors).toHaveLength(174);
  expect(file.numberOfTests).toBe(174);
});

it.each(vectors)('vector $tcId ($result, $tagSize bits): $comment', ({ key, msg, tag, result, tagSize }) => {
  const secret = Buffer.from(key, 'hex');
  const body = Buffer.from(msg, 'hex');
  // The valid 128-bit vectors have half a tag. A verifier that accepts half a tag can be guessed, so only the whole tag counts.
  expect(verify(body, `sha256=${tag}`, secret) === 'valid').toBe(result === 'valid' && tagSize === 256);
  expect(sign(body, secret).startsWith(`sha256=${tag}`)).toBe(result === 'valid');
});

it('of the 66 valid vectors 33 have the whole length and are taken', () => {
  const taken = vectors.filter(
    ({ key, msg, tag }) => verify(Buffer.from(msg, 'hex'), `sha256=${tag}`, Buffer.from(key, 'hex')) === 'valid',
  );
  expect(vectors.filter(({ result }) => result === 'valid')).toHaveLength(66);
  expect(taken).toHaveLength(33);
});
