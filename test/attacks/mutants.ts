import { sign } from '../../shared/webhooks/signature.ts';
import { openDelivery, type Check, type RawDelivery } from '../../shared/webhooks/delivery.ts';
import { brand } from '../../shared/brand.ts';
import { chance, seedOf, type Chance } from '../soak/random.ts';

export interface MutationsResult {
  mutated: number;
  accepted: number;
  thrown: number;
  /** The refusals, by the check that a delivery did not pass. */
  refused: Partial<Record<Check, number>>;
}

export const secret = 'whsec_the-secret-of-this-subscription';
const headerOf = (name: string): string => `${brand.headerPrefix}-${name}`.toLowerCase();

const record = {
  id: 'bkg_1',
  status: 'CONFIRMED',
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
  start_time: '2030-01-09T09:00:00.000Z',
};
const bodies: readonly [Buffer, ...Buffer[]] = [
  Buffer.from(JSON.stringify({ event: 'BOOKING_CREATED', created_at: '2030-01-02T08:00:00Z', data: record })),
  Buffer.from(JSON.stringify({ data: record })),
  Buffer.from(JSON.stringify({ event: 'BOOKING_CREATED', payload: { ...record, notes: 'ü – €'.repeat(40) } })),
];

export interface Delivery {
  rawBody: Buffer;
  signature: string | readonly string[];
  event: string;
}

type Mutation = (delivery: Delivery, luck: Chance) => Delivery;

const changedByte = (bytes: Buffer, luck: Chance): Buffer => {
  const changed = Buffer.from(bytes);
  const at = luck.below(changed.length);
  changed[at] = (changed[at] ?? 0) ^ (1 + luck.below(255));
  return changed;
};

const hex = '0123456789abcdef';

/** Each turns a valid delivery into one that must be refused. */
const mutations: readonly [Mutation, ...Mutation[]] = [
  (delivery, luck) => ({ ...delivery, rawBody: changedByte(delivery.rawBody, luck) }),
  ({ rawBody, ...rest }, luck) => ({ ...rest, rawBody: rawBody.subarray(0, luck.below(rawBody.length)) }),
  ({ rawBody, ...rest }, luck) => ({ ...rest, rawBody: Buffer.concat([rawBody, Buffer.from([luck.below(256)])]) }),
  ({ rawBody, ...rest }, luck) => {
    const at = luck.below(rawBody.length);
    return { ...rest, rawBody: Buffer.concat([rawBody.subarray(0, at), Buffer.from([luck.below(256)]), rawBody.subarray(at)]) };
  },
  (delivery, luck) => {
    const text = String(delivery.signature);
    const at = 7 + luck.below(64);
    const other = hex.replace(text[at] ?? '', '')[luck.below(15)] ?? 'g';
    return { ...delivery, signature: text.slice(0, at) + other + text.slice(at + 1) };
  },
  (delivery, luck) => ({ ...delivery, signature: String(delivery.signature).slice(0, luck.below(71)) }),
  (delivery, luck) => ({ ...delivery, signature: `${String(delivery.signature)}${luck.pick(['0', ' ', ',', '\n', ';v=1'])}` }),
  (delivery) => ({ ...delivery, signature: `sha256=${String(delivery.signature).slice(7).toUpperCase()}` }),
  (delivery, luck) => ({
    ...delivery,
    signature: String(delivery.signature).replace('sha256=', luck.pick(['', 'sha1=', 'SHA256=', 'sha256', 'sha512=', ' sha256='])),
  }),
  (delivery) => ({ ...delivery, signature: [String(delivery.signature), String(delivery.signature)] }),
  (delivery, luck) => ({
    ...delivery,
    signature: sign(delivery.rawBody, luck.pick(['', 'whsec_another', `${secret} `, secret.slice(1), secret.toUpperCase()])),
  }),
  (delivery, luck) => ({
    ...delivery,
    event: luck.pick(['BOOKING_CANCELLED', 'CONTACT_CREATED', 'BOOKING_DENIED']),
    signature: `sha256=${'0'.repeat(64)}`,
  }),
];

/** Deliveries that are each valid but for one change. */
export function* mutants(seed: number): Generator<Delivery, never> {
  const luck = chance(seedOf('mutations', seed));
  const right = bodies.map((rawBody): Delivery => ({ rawBody, signature: sign(rawBody, secret), event: 'BOOKING_CREATED' })) as [
    Delivery,
    ...Delivery[],
  ];
  for (;;) {
    const original = luck.pick(right);
    const mutated = luck.pick(mutations)(original, luck);
    // Two bytes inserted beside an equal byte give the same text again, which is no mutation.
    if (mutated.rawBody.equals(original.rawBody) && mutated.signature === original.signature) continue;
    yield mutated;
  }
}

/** As many of them as are wanted, judged by the core. */
export function mutatedDeliveries(count: number, seed: number): MutationsResult {
  const result: MutationsResult = { mutated: 0, accepted: 0, thrown: 0, refused: {} };
  const deliveries = mutants(seed);
  while (result.mutated < count) {
    result.mutated += 1;
    open(deliveries.next().value, result);
  }
  return result;
}

function open({ rawBody, signature, event }: Delivery, result: MutationsResult): void {
  const delivery: RawDelivery = {
    rawBody,
    headers: { [headerOf('Signature')]: signature, [headerOf('Event')]: event, [headerOf('Delivery-ID')]: 'dlv_1' },
  };
  try {
    const opened = openDelivery(delivery, { secret, events: ['BOOKING_CREATED'], subscriptionId: 'sub_1', now: 0 });
    if (opened.outcome === 'refused') result.refused[opened.check] = (result.refused[opened.check] ?? 0) + 1;
    else result.accepted += 1;
  } catch {
    // Exceptions are counted, because anything that a stranger sends must end in a refusal.
    result.thrown += 1;
  }
}
