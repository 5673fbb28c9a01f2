import { createHmac, randomBytes } from 'node:crypto';
import { sign, verify } from '../../shared/webhooks/signature.ts';
import { compareBlocks, type Candidate } from '../harness/compare.ts';
import { against, atMost, type Line } from '../harness/lines.ts';
import { bodyOf } from '../material.ts';
import type { Row } from './index.ts';

/** A usual delivery, and one that is larger than any should be. */
const sizes = [
  { name: '1 KB', bytes: 1_000 },
  { name: '100 KB', bytes: 100_000 },
];

/** What nobody who verifies can go without, and the whole check around it. */
function candidates(body: string): Candidate[] {
  const raw = Buffer.from(body);
  const secret = randomBytes(24).toString('base64');
  const signature = sign(raw, secret);
  return [
    { name: 'raw HMAC', run: () => createHmac('sha256', secret).update(raw).digest() },
    {
      name: 'ours',
      run: () => {
        if (verify(raw, signature, secret) !== 'valid') throw new Error('The core did not accept its own signature.');
      },
    },
  ];
}

export const verification: Row = {
  name: 'verification',
  title: 'Verifying a delivery over its raw body',
  async run() {
    const lines: Line[] = [];
    for (const { name, bytes } of sizes) {
      const comparison = await compareBlocks(candidates(bodyOf(bytes)), { rounds: 100 });
      lines.push(against({ what: `verify ${name}`, comparison, peer: 'raw HMAC', unit: 'us', target: atMost(1.15) }));
    }
    return lines;
  },
};
