import { createClient, type Sent } from '../../shared/api/client.ts';
import { ServiceError } from '../../shared/api/errors.ts';
import type { PendingWrites } from '../../shared/api/pendingWrites.ts';
import { reconcile, type Look, type Write } from '../../shared/api/reconcile.ts';
import { patient } from '../../shared/api/retry.ts';
import { NotSent } from '../../shared/api/transport.ts';
import { heldStep } from '../support/heldStep.ts';
import { refusal } from '../support/refusal.ts';

const start = Date.parse('2030-01-02T08:00:00Z');
const lost: Sent<string> = { end: 'unconfirmed', reason: 'ECONNRESET' };
const made: Sent<string> = { end: 'done', result: 'made' };
const refused: Sent<string> = { end: 'refused', error: new ServiceError('invalid', { message: 'Refused.', advice: 'Correct it.' }) };
const seen: Look<string> = { found: 'seen', isComplete: true };
const notThere: Look<string> = { isComplete: true };
const perhaps: Look<string> = { isComplete: false };
const signal = new Error('refresh the token');
const unsent = new NotSent('the token was not refreshed');

interface Script {
  sends?: readonly (Sent<string> | Error)[];
  looks?: readonly (Look<string> | Error)[];
  isHarmless?: boolean;
  keys?: Write<string>['keys'] | 'none';
}

/** Runs a write, and notes what is saved while it is sent and while it is looked for. */
function played(store: Map<string, unknown>, writes: PendingWrites, { sends = [], looks = [], isHarmless = false, keys }: Script) {
  let slept = 0;
  const sent: [at: number, saved: string[]][] = [];
  const looked: [at: number, saved: string[]][] = [];
  const clock = { now: () => start + slept, sleep: async (milliseconds: number) => void (slept += milliseconds), random: () => 0 };
  const transport = () => Promise.reject(new Error('Nothing is sent over the network.'));
  const client = createClient({ baseUrl: 'https://service.example/api/v1', transport, clock, patience: patient, writes });
  const write: Write<string> = {
    turn: 'one',
    content: 'this',
    isHarmless,
    ...(keys !== 'none' && { keys: keys ?? { content: 'this one' } }),
    send: async () => {
      const end = sends[sent.push([slept, [...store.keys()]]) - 1] ?? lost;
      if (end instanceof Error) throw end;
      return end;
    },
    look: async () => {
      const look = looks[looked.push([slept, [...store.keys()]]) - 1] ?? notThere;
      if (look instanceof Error) throw look;
      return look;
    },
    notDone: () => new ServiceError('server', { message: 'Not done.', advice: 'Try again.' }),
    unknown: () => ({ message: 'Unknown.', advice: 'Look for it.' }),
  };
  return { sent, looked, run: () => reconcile(client, write) };
}

const saved = ['this one'];

describe('a program that may end at any moment saves a write before it is sent', () => {
  let store: Map<string, unknown>;
  let writes: () => PendingWrites;
  beforeEach(() => ({ store, writes } = heldStep(false, true)));
  const play = (script: Script) => played(store, writes(), script);

  it.each<[string, Script]>([
    ['it was done', { sends: [made] }],
    ['it was refused', { sends: [refused] }],
    ['it was seen after a lost answer', { looks: [seen] }],
    ['it is certainly not there', { sends: [lost, lost, lost] }],
    ['it was not even sent', { sends: [unsent] }],
  ])('and forgets it as soon as %s', async (_, script) => {
    const { run, sent, looked } = play(script);
    await run().catch(() => undefined);
    for (const [, during] of sent) expect(during).toEqual(saved);
    expect(looked[0]?.[1] ?? saved).toEqual(saved);
    expect([...store.keys()]).toEqual([]);
  });

  it('and tells what happened in the same words', async () => {
    expect(await play({ sends: [made] }).run()).toBe('made');
    expect((await refusal(play({ sends: [refused] }).run())).message).toBe('Refused.');
    await expect(play({ sends: [unsent] }).run()).rejects.toBe(unsent);
    await expect(play({ sends: [signal] }).run()).rejects.toBe(signal);
  });

  it('and keeps it if the host ends the step with a signal of its own while it is sent', async () => {
    await play({ sends: [signal] })
      .run()
      .catch(() => undefined);
    expect([...store.keys()]).toEqual(saved);
  });

  it('so that the next one looks for it, and sends it only when nothing of the last one can take effect any more', async () => {
    let left: [string, unknown][] = [];
    const ended = play({ sends: [made] });
    // The program ends while it sends: what it had saved by then is all that is left.
    const set = store.set.bind(store);
    store.set = (key, value) => {
      left = [[key, value]];
      return set(key, value);
    };
    await ended.run();
    const { store: next, writes: nextWrites } = heldStep(false, true);
    for (const [key, value] of left) next.set(key, value);
    const again = played(next, nextWrites(), { sends: [made] });
    expect(await again.run()).toBe('made');
    // Twice the longest wait for a turn, and then the usual times.
    expect(again.looked.map(([at]) => at)).toEqual([0, 362_000, 367_000, 392_000]);
    expect(again.sent.map(([at]) => at)).toEqual([392_000]);
    for (const [key, value] of left) next.set(key, value);
    expect(await played(next, nextWrites(), { looks: [seen] }).run()).toBe('seen');
  });

  it.each<[string, Sent<string> | Error]>([
    ['refused', refused],
    ['not sent', unsent],
  ])('and keeps an earlier try that may still take effect, although the next one was %s', async (_, end) => {
    const { run, looked } = play({ isHarmless: true, sends: [lost, end], looks: [perhaps, perhaps, perhaps, perhaps] });
    await run().catch(() => undefined);
    for (const [, during] of looked) expect(during).toEqual(saved);
    expect([...store.keys()]).toEqual(saved);
  });

  it('unless it has no name under which it could be found', async () => {
    const { run, sent } = play({ sends: [made], keys: 'none' });
    expect(await run()).toBe('made');
    expect(sent).toEqual([[0, []]]);
    const error = await refusal(play({ looks: [perhaps, perhaps, perhaps], keys: 'none' }).run());
    expect(error).toMatchObject({ kind: 'unknownOutcome', advice: 'Look for it.' });
    await expect(play({ looks: [signal], keys: 'none' }).run()).rejects.toMatchObject({ kind: 'unknownOutcome' });
  });
});

it('another program saves nothing while all is well', async () => {
  const { store, writes } = heldStep();
  const deleted = jest.spyOn(store, 'delete');
  const { run, sent } = played(store, writes(), { sends: [made] });
  expect(await run()).toBe('made');
  expect(sent).toEqual([[0, []]]);
  expect(deleted).not.toHaveBeenCalled();
});
