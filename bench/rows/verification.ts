import { createHmac, randomBytes } from 'node:crypto';
import { verify as verifyOctokit } from '@octokit/webhooks-methods';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { sign, verify } from '../../shared/webhooks/signature.ts';
import { compareBlocks, type Candidate } from '../harness/compare.ts';
import { against, atMost, line, rounded, type Line, type Target } from '../harness/lines.ts';
import { bodyOf } from '../material.ts';
import type { HandlersResult } from '../n8n/handlers.ts';
import { connectedTo, insideN8n } from '../n8n/inside.ts';
import type { Row } from './index.ts';

const sizes = [
  { name: '0.2 KB', bytes: 200 },
  { name: '1 KB', bytes: 1_000, limit: atMost(1.15) },
  { name: '10 KB', bytes: 10_000 },
  { name: '100 KB', bytes: 100_000, limit: atMost(1.03) },
  { name: '1 MB', bytes: 1_000_000 },
];

const id = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W';

/** Every library in its own scheme, with the header that its sender would send, over the same bytes. */
function candidates(body: string): Candidate[] {
  const raw = Buffer.from(body);
  const secret = randomBytes(24).toString('base64');
  const seconds = Math.floor(Date.now() / 1000);

  const ours = sign(raw, secret);
  const stripe = new Stripe('sk_test_none');
  const { signature } = stripe.webhooks;
  if (signature === null) throw new Error('stripe has no part that verifies alone any more.');
  const stripeHeader = stripe.webhooks.generateTestHeaderString({ payload: body, secret });
  const svix = new SvixWebhook(secret);
  const standard = new StandardWebhook(secret);
  const at = new Date(seconds * 1000);
  const svixHeaders = { 'svix-id': id, 'svix-timestamp': String(seconds), 'svix-signature': svix.sign(id, at, body) };
  const standardHeaders = { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': standard.sign(id, at, body) };
  const wrong = (name: string) => new Error(`${name} did not accept its own signature.`);
  return [
    { name: 'raw HMAC', run: () => createHmac('sha256', secret).update(raw).digest() },
    { name: 'ours', run: () => { if (verify(raw, ours, secret) !== 'valid') throw wrong('The core'); } },
    { name: 'octokit', run: async () => { if (!(await verifyOctokit(secret, body, ours))) throw wrong('octokit'); } },
    // The part of it that verifies, without the parsing that usually follows.
    { name: 'stripe', run: () => { if (!signature.verifyHeader(raw, stripeHeader, secret, 300)) throw wrong('stripe'); } },
    { name: 'svix', run: () => svix.verify(body, svixHeaders) },
    { name: 'standardwebhooks', run: () => standard.verify(body, standardHeaders) },
  ];
}

const targets: Record<string, Target> = { octokit: atMost(1), stripe: atMost(1), svix: atMost(0.2), standardwebhooks: atMost(0.2) };

export const verification: Row = {
  name: 'verification',
  title: 'Verifying a delivery, body as it came in',
  async run() {
    const lines: Line[] = [];
    for (const { name, bytes, limit } of sizes) {
      const what = `verify ${name}`;
      const comparison = await compareBlocks(candidates(bodyOf(bytes)), { rounds: bytes > 500_000 ? 20 : 100 });
      lines.push(against({ what, comparison, peer: 'raw HMAC', unit: 'us', target: limit }));
      for (const [peer, target] of Object.entries(targets)) {
        const bare = comparison.ratio('raw HMAC', peer).ratio;
        lines.push(against({ what, comparison, peer, unit: 'us', target, limit: `The bare HMAC alone is ${rounded(bare)}x; ours adds the comparison in constant time.` }));
      }
    }
    return [...lines, ...(await wholeHandlers())];
  },
};

/** The whole of a trigger's `webhook()` in n8n's own context, verified and started, against n8n's own triggers. */
async function wholeHandlers(): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [name, bytes] of [['1 KB', 1_000], ['10 KB', 10_000]] as const) {
    const { cost, ratio } = await insideN8n<HandlersResult>('handlers.ts', connectedTo('http://127.0.0.1:9/api/v1'), { bytes });
    for (const [peer, label] of [['calCom', "n8n's Cal.com trigger"], ['calendly', "n8n's Calendly trigger"]] as const) {
      lines.push(line({
        what: `n8n trigger, whole delivery of ${name}`, ours: `${rounded(cost.ours / 1000)} us`, against: `${label}: ${rounded(cost[peer] / 1000)} us`, figure: ratio[peer].ratio, spread: ratio[peer].spread,
        note: 'Ours also reads the signed bytes itself, remembers the delivery and shows the invitee\'s times; n8n itself spends some twenty milliseconds on starting an execution.',
      }));
    }
  }
  return lines;
}
