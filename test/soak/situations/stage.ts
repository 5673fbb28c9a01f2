import { faults, type FaultName } from '../faults/index.ts';
import type { FaultKind, Struck } from '../faults/struck.ts';
import { isFindingEnd, type Judgement } from '../judge.ts';
import type { PlatformName } from '../operations.ts';
import type { Parameters } from '../platforms/n8n.ts';
import type { Connection, Told } from '../platforms/told.ts';
import { emptyStore, type Surroundings } from '../platforms/zapier.ts';
import type { Sandbox } from '../../../sandbox/service.ts';
import type { Chance } from '../random.ts';
import { AFTERMATH_MS } from '../run.ts';
import type { VirtualTime } from '../time.ts';
import { pathOf, type Wire, type WireRequest } from '../wire.ts';
import type { World } from '../world.ts';

/** What one run of a situation can use. */
export interface Stage {
  world: World;
  platform: PlatformName;
  luck: Chance;
  time: VirtualTime;
  /** A word that no other run has. */
  tag: string;
}

/** Several requests, users or moments that must not interfere with each other. */
export interface Situation {
  says: string;
  platforms: readonly PlatformName[];
  /** For situations that last for days. */
  longestMs?: number;
  play: (stage: Stage) => Promise<Judgement>;
}

export const both: readonly PlatformName[] = ['n8n', 'zapier'];

export const fine: Judgement = { end: 'done', why: '' };

/** The first finding among several judgements; otherwise an unknown or failed one, if there is any. */
export const worst = (judgements: readonly Judgement[]): Judgement =>
  judgements.find(({ end }) => isFindingEnd(end)) ??
  judgements.find(({ end }) => end === 'unknown') ??
  judgements.find(({ end }) => end === 'failed') ??
  fine;

/** What happens to a request: `ok`, a kind of fault, or a slow answer. */
export type Fate = FaultName | 'ok' | 'slow';

const SLOW_MS = 5000;

/** A wire on which each main request, in order, meets the next of these fates. Requests after the last fate meet none. */
export function fated(
  wire: Wire,
  { time, luck }: Pick<Stage, 'time' | 'luck'>,
  isMain: (request: WireRequest, path: string) => boolean,
  fates: readonly Fate[],
): Wire {
  let next = 0;
  return (request, signal) => {
    const path = pathOf(request);
    const fate = isMain(request, path) ? (fates[next++] ?? 'ok') : 'ok';
    const serve = () => wire(request, signal);
    if (fate === 'ok') return serve();
    if (fate === 'slow') return time.sleep(SLOW_MS).then(serve);
    const { strike }: FaultKind = faults[fate];
    const stall: Struck['stall'] = () =>
      new Promise((_, reject) => void signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));
    return strike({
      request,
      path,
      time,
      chance: luck,
      memory: new Map(),
      serve,
      stall,
      latestMs: AFTERMATH_MS - 2000,
      revoke: () => undefined,
      shrink: () => undefined,
    });
  };
}

export const isBooking = ({ method }: WireRequest, path: string): boolean => method === 'POST' && path === '/v1/bookings';

/** Some milliseconds on the way, so that not everything happens at the same moment. */
export const delayed =
  ({ time, luck }: Pick<Stage, 'time' | 'luck'>, wire: Wire): Wire =>
  async (request, signal) => {
    await time.sleep(20 + luck.below(150));
    return wire(request, signal);
  };

export const surroundings = (
  { time, luck }: Stage,
  connection: Connection,
  wire: Wire,
  store = emptyStore(),
): Surroundings & { isOldHost: boolean } => ({ wire, time, connection, store, isOldHost: luck.happens(0.3) });

export interface Wanted {
  eventTypeId: string;
  start: string;
  name: string;
  email: string;
  notes?: string;
}

const locator = (value: unknown) => ({ __rl: true, mode: 'id', value });

/** The parameters of an item that books. */
export const bookingItem = ({ eventTypeId, start, name, email, notes }: Wanted): Parameters => ({
  resource: 'booking',
  operation: 'create',
  eventTypeId: locator(eventTypeId),
  startTime: start,
  inviteeName: name,
  inviteeEmail: email,
  questionResponsesMode: 'fields',
  questionResponses: { mappingMode: 'defineBelow', value: null },
  additionalFields: notes === undefined ? {} : { notes },
  simplify: false,
});

/** The input of a step that books. */
export const bookingInput = ({ eventTypeId, start, name, email, notes }: Wanted): Record<string, unknown> => ({
  event_type_id: eventTypeId,
  start_time: start,
  invitee_name: name,
  invitee_email: email,
  ...(notes !== undefined && { notes }),
});

/** What the user was told about one item. */
export type ItemTold = { end: 'done'; id: string } | { end: 'failed' | 'unknown' | 'untyped'; words: string };

const unsure = /may or may not/;

/** What the user was told about each of several items: by its own output, or for all of them by the error that ended the run. */
export function itemsTold(told: Told, count: number): ItemTold[] {
  if (told.outcome === 'failed') return Array.from({ length: count }, () => failedAs(told));
  return ([told.value].flat() as Record<string, unknown>[]).map((record) =>
    typeof record['error'] === 'string'
      ? { end: unsure.test(record['error']) ? 'unknown' : 'failed', words: record['error'] }
      : { end: 'done', id: String(record['id']) },
  );
}

const failedAs = ({ words, isUnsure, defect }: Extract<Told, { outcome: 'failed' }>): ItemTold => ({
  end: defect !== undefined ? 'untyped' : isUnsure ? 'unknown' : 'failed',
  words,
});

/** The part of a booking that shows whose it is. */
export interface Made {
  id: string;
  name: string;
}

/**
 * Compares what was told about several items with what exists. Items with the same name cannot be distinguished, so they are counted
 * together.
 *
 * @param isWhole whether each item had an outcome of its own; one error for a whole run says nothing about the items that succeeded
 */
export function judgeItems(names: readonly string[], told: readonly ItemTold[], made: readonly Made[], isWhole: boolean): Judgement {
  const given = new Set<string>();
  const unknown: Judgement[] = [];
  for (const [index, name] of names.entries()) {
    const item = told[index];
    if (item === undefined) return { end: 'lost', why: `nothing was told of ${name}` };
    if (item.end === 'untyped') return { end: 'untyped', why: item.words };
    if (item.end === 'unknown') unknown.push({ end: 'unknown', why: item.words });
    if (item.end === 'failed') unknown.push({ end: 'failed', why: item.words });
    if (item.end !== 'done') continue;
    const there = made.find(({ id }) => id === item.id);
    if (there === undefined) return { end: 'invented', why: `${name} was told ${item.id}, which is not there` };
    if (there.name !== name) return { end: 'stolen', why: `${name} was told ${item.id}, which is ${there.name}'s` };
    if (given.has(item.id)) return { end: 'stolen', why: `${item.id} was told twice` };
    given.add(item.id);
  }
  for (const name of new Set(names)) {
    const of = (end: ItemTold['end']): number => names.filter((each, index) => each === name && told[index]?.end === end).length;
    const there = made.filter((each) => each.name === name).length;
    const wanted = names.filter((each) => each === name).length;
    if (there > wanted) return { end: 'duplicated', why: `${there} bookings for ${name}, and ${wanted} wanted` };
    if (isWhole && there > of('done') + of('unknown')) return { end: 'lost', why: `${name} was told as failed, and is there` };
  }
  return worst(unknown);
}

/** The people with bookings under an email address. */
export const madeFor = (sandbox: Pick<Sandbox, 'bookings'>, email: string): { id: string; name: string }[] =>
  sandbox
    .bookings()
    .flatMap(({ id, invitee_email: at, invitee_name: name, status }) => (at === email && status !== 'CANCELLED' ? [{ id, name }] : []));
