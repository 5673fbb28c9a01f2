import { createBooking } from '../../../shared/operations/index.ts';
import { panelOf } from '../../contract/platforms/n8nPanel.ts';
import { faults, stalled, type FaultKind, type FaultName } from '../faults/index.ts';
import { isFindingEnd, type Judgement } from '../judge.ts';
import type { PlatformName } from '../operations.ts';
import { runNode, type Run } from '../platforms/n8n.ts';
import type { Connection, Told } from '../platforms/told.ts';
import { emptyStore, runAction, type Surroundings } from '../platforms/zapier.ts';
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
  platforms: readonly PlatformName[];
  play: (stage: Stage) => Promise<Judgement>;
}

export const fine: Judgement = { end: 'done', why: '' };

/** The first finding among several judgements; otherwise an unknown or failed one, if there is any. */
const worst = (judgements: readonly Judgement[]): Judgement =>
  judgements.find(({ end }) => isFindingEnd(end)) ??
  judgements.find(({ end }) => end === 'unknown') ??
  judgements.find(({ end }) => end === 'failed') ??
  fine;

/** What happens to a request: `ok`, a kind of fault, or a slow answer. */
export type Fate = FaultName | 'ok' | 'slow';
export type Fates = readonly [Fate, ...Fate[]];

const SLOW_MS = 5000;

/** A wire, some milliseconds long, on which each booking, in order, meets one of these fates. Those after the last fate meet none. */
export function fated({ world, time, luck }: Stage, count: number, fates: Fates): Wire {
  const drawn = Array.from({ length: count }, () => luck.pick(fates));
  let next = 0;
  return async (request, signal) => {
    const path = pathOf(request);
    const fate = isBooking(request, path) ? (drawn[next++] ?? 'ok') : 'ok';
    const serve = async () => {
      await time.sleep(20 + luck.below(150));
      return world.wire(request, signal);
    };
    if (fate === 'ok') return serve();
    if (fate === 'slow') return time.sleep(SLOW_MS).then(serve);
    const { strike }: FaultKind = faults[fate];
    return strike({
      request,
      path,
      time,
      chance: luck,
      memory: new Map(),
      serve,
      stall: () => stalled(signal),
      latestMs: AFTERMATH_MS - 2000,
      revoke: () => undefined,
      shrink: () => undefined,
    });
  };
}

const isBooking = ({ method }: WireRequest, path: string): boolean => method === 'POST' && path === '/v1/bookings';

export const surroundings = (
  { time, luck }: Stage,
  connection: Connection,
  wire: Wire,
  store = emptyStore(),
): Surroundings & { isOldHost: boolean } => ({ wire, time, connection, store, isOldHost: luck.happens(0.3) });

export interface Wanted {
  event_type_id: string;
  start_time: string;
  invitee_name: string;
  invitee_email: string;
  notes?: string;
}

/** Books on the platform: in n8n all of them as the items of one run. */
export const book = (stage: Stage, around: Surroundings, wanted: readonly [Wanted, ...Wanted[]], run: Run = {}): Promise<Told> =>
  stage.platform === 'n8n'
    ? runNode(
        around,
        wanted.map((fields) => panelOf(createBooking, { fields: { ...fields } })),
        { executionId: stage.tag, ...run },
      )
    : runAction(around, createBooking, { ...wanted[0] });

/** What the user was told about one item. */
export type ItemTold = { end: 'done'; id: string } | { end: 'failed' | 'unknown' | 'untyped'; words: string };

const unsure = /may or may not/;

/** What the user was told about each of several items: by its own output, or for all of them by the error that ended the run. */
export function itemsTold(told: Told, count: number): ItemTold[] {
  if (told.outcome === 'failed') {
    const { words, isUnsure, defect } = told;
    const end = defect !== undefined ? 'untyped' : isUnsure ? 'unknown' : 'failed';
    return Array.from({ length: count }, () => ({ end, words }));
  }
  return ([told.value].flat() as Record<string, unknown>[]).map((record) =>
    typeof record['error'] === 'string'
      ? { end: unsure.test(record['error']) ? 'unknown' : 'failed', words: record['error'] }
      : { end: 'done', id: String(record['id']) },
  );
}

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
  const others: Judgement[] = [];
  for (const [index, name] of names.entries()) {
    const item = told[index];
    if (item === undefined) return { end: 'lost', why: `nothing was told of ${name}` };
    if (item.end === 'untyped') return { end: 'untyped', why: item.words };
    if (item.end !== 'done') {
      others.push({ end: item.end, why: item.words });
      continue;
    }
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
  return worst(others);
}

/** The people with bookings under an email address. */
export const madeFor = ({ sandbox }: Pick<World, 'sandbox'>, email: string, account = sandbox.account.id): Made[] =>
  sandbox
    .bookings()
    .flatMap(({ id, account_id: of, invitee_email: at, invitee_name: name, status }) =>
      of === account && at === email && status !== 'CANCELLED' ? [{ id, name }] : [],
    );
