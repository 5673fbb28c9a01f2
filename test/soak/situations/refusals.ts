import type { Judgement } from '../judge.ts';
import { runNode } from '../platforms/n8n.ts';
import { AFTERMATH_MS } from '../run.ts';
import type { Wire } from '../wire.ts';
import { bookingItem, delayed, fine, itemsTold, judgeItems, surroundings, worst, type Situation, type Stage } from './stage.ts';

const ITEMS = 60;
/** As many requests as n8n runs in parallel may be on their way when the first refusal comes, and each may try once more. */
const MOST_REFUSED = 40;
const MINUTE_MS = 60_000;
const LONGEST_MS = 15 * MINUTE_MS;

/** The service refuses everything for a minute or an hour, and says so. The node continues after failed items. */
async function longRefusal(stage: Stage): Promise<Judgement> {
  const { world, luck, tag, time } = stage;
  const seconds = luck.pick([30, 60, 120, 900, 3600]);
  const from = luck.below(ITEMS);
  let served = 0;
  let refused = 0;
  let until = 0;
  const wire: Wire = async (request, signal) => {
    served += 1;
    if (until === 0 && served > from) until = time.now() + seconds * 1000;
    if (time.now() >= until) return world.wire(request, signal);
    refused += 1;
    const left = Math.ceil((until - time.now()) / 1000);
    return {
      status: 429,
      headers: { 'content-type': 'application/json', 'retry-after': String(left) },
      body: Buffer.from('{"error":"Too Many Requests","code":"RATE_LIMITED"}'),
    };
  };
  const email = `${tag}@example.com`;
  const names = Array.from({ length: ITEMS }, (_, index) => `Guest ${index}`);
  const items = names.map((name) => bookingItem({ eventTypeId: world.eventTypeId, start: world.freeStart(), name, email }));
  const begun = time.now();
  const told = await runNode(surroundings(stage, world.connect(false, luck), delayed(stage, wire)), items, {
    continueOnFail: true,
    executionId: tag,
  });
  const tookMs = time.now() - begun;
  await time.sleep(AFTERMATH_MS);
  if (refused > MOST_REFUSED)
    return { end: 'stormed', why: `${refused} requests were refused, each told to come back after up to ${seconds} s` };
  if (tookMs > LONGEST_MS)
    return { end: 'hung', why: `${ITEMS} items took ${Math.round(tookMs / MINUTE_MS)} minutes, with a refusal of ${seconds} s` };
  const made = world.sandbox.bookings().flatMap((each) => (each.invitee_email === email ? [{ id: each.id, name: each.invitee_name }] : []));
  return worst([judgeItems(names, itemsTold(told, ITEMS), made, true), fine]);
}

export const refusalSituations = {
  'long-refusal': { says: 'sixty items meet a refusal that lasts up to an hour', platforms: ['n8n'], play: longRefusal },
} satisfies Record<string, Situation>;
