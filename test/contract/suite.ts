import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { eventRows } from '../../shared/events.ts';
import {
  closingOnFailure,
  whyNot,
  type Connection,
  type Installed,
  type Listening,
  type Platform,
  type Requirement,
  type Stage,
} from './platform.ts';
import { connectCore } from './platforms/core.ts';
import { nowhere } from './fixtures.ts';
import { everywhere } from './requirements/index.ts';

/** A pattern of the requirements' ids to run, for sources that differ in one thing only. */
const part = new RegExp(process.env['CONTRACT_PART'] ?? '');

/** Everything that must hold on every platform. */
export const requirements: readonly Requirement[] = everywhere.filter(({ id }) => part.test(id));

/**
 * Requirements that the core or a translator alone decides, the same in a built program as in its sources, which `quick/` tests. One of
 * each kind stays, to show that a built program reaches that code.
 */
const decidedInside = [
  /^service:(?!calcom2:)|^in-between:|^start:offset:|:required-fields:/,
  /^write:(?:record-in|answer-without|always-refused)|:many-pages:|^lists:status-ignored/,
  /^(?:contact|eventType|user)\.\w+:(?:record|simplified):/,
];

/** The requirements that a built program, or a host that runs it, must meet in `npm test`. */
export const reached: readonly Requirement[] = requirements.filter(({ id }) => !decidedInside.some((kind) => kind.test(id)));

/** The same without those that wait in real time or need another process. `npm run try:mcp` and `npm run try:zapier` run everything. */
export const quickly: readonly Requirement[] =
  process.env['WHOLE_CONTRACT'] === '1' ? requirements : reached.filter(({ alone }) => alone === undefined);

/** The time zone of every platform that has one. */
const zone = 'America/New_York';

/** Opens a stage on its own service. `close` ends everything that was opened on it. */
async function openStage(
  platform: Platform,
  installed: Installed,
  options: NonNullable<Requirement['alone']>,
): Promise<Stage & { close: () => Promise<void> }> {
  const sandbox = await startSandbox({ limits: false, ...options });
  const opened: Connection[] = [];
  const another = async (own?: string): Promise<Connection> => {
    const connection = await installed.connect(sandbox, own);
    opened.push(connection);
    return connection;
  };
  const listeners = new Map<string, Promise<{ listening: Listening; secret: string }>>();
  const listener: Stage['listener'] = (row) => {
    const rows = platform.lacks.manyEvents === undefined ? eventRows : [row];
    const place = rows.map(({ name }) => name).join();
    const begun =
      listeners.get(place) ??
      (async () => {
        const listening = await (await unhurried()).listen(rows);
        return { listening, secret: await listening.secret() };
      })();
    listeners.set(place, begun);
    return begun;
  };
  const unhurried = async (): Promise<Connection> => (platform.isPaced === true ? another(zone) : connection);
  // After a failed requirement, a listener may be impossible to stop. Close everything else anyway, or jest would never end.
  const close = async (): Promise<void> => {
    const stopped = [...listeners.values()].map(async (begun) => (await begun).listening.stop());
    const ends = [...(await Promise.allSettled(stopped)), ...(await Promise.allSettled(opened.map(async (each) => each.close?.())))];
    await sandbox.stop();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
  const connection = await closingOnFailure(another(zone), close);
  return { sandbox, platform, another, listener, unhurried, close, core: connectCore(sandbox, zone), connection };
}

/** Runs a requirement on its own stage. */
async function heldAlone(platform: Platform, installed: Installed, requirement: Requirement): Promise<void> {
  const { close, ...stage } = await openStage(platform, installed, requirement.alone ?? {});
  try {
    await requirement.hold(stage);
  } finally {
    await close();
  }
}

/** Effects of one check must not reach the next. */
function tidied({ faults, forgetRequests, subscriptions, host }: Sandbox): void {
  faults.clear();
  forgetRequests();
  for (const { id, url } of subscriptions()) if (url.startsWith(nowhere)) host.deleteSubscription(id);
}

/**
 * The contract of one platform as tests: the requirements that apply to it, under their ids and sources, and the others, with the reason.
 * Most of them share one service and one connection. Those that wait, each with a service of its own, start immediately and wait together.
 *
 * @param chosen by default, the whole contract
 */
export function contractOf(platform: Platform, chosen: readonly Requirement[] = requirements): void {
  describe(`the contract, by ${platform.name}`, () => {
    // Those that start immediately come last, so that their waits end while the others run.
    const inTurn = [...chosen.filter(({ alone }) => alone === undefined), ...chosen.filter(({ alone }) => alone !== undefined)];
    const applying = chosen.filter((requirement) => whyNot(requirement, platform) === undefined);
    const ends = new Map<string, Promise<void>>();
    let installed: Installed | undefined;
    let main: Awaited<ReturnType<typeof openStage>> | undefined;

    beforeAll(async () => {
      const here = (installed = await platform.install());
      main = await openStage(platform, here, { forms: { slots: 'shared' } });
      for (const requirement of applying.filter(({ alone, waits }) => alone !== undefined && waits === true)) {
        const end = heldAlone(platform, here, requirement);
        // The test that awaits this promise reports the error.
        end.catch(() => undefined);
        ends.set(requirement.id, end);
      }
    });
    afterAll(async () => {
      await Promise.allSettled(ends.values());
      await main?.close();
      await installed?.remove?.();
    });

    for (const requirement of inTurn) {
      const reason = whyNot(requirement, platform);
      if (reason !== undefined) {
        it.skip(`${requirement.id} does not apply: ${reason}`, () => undefined);
        continue;
      }
      it(`${requirement.id} [${requirement.source}]`, async () => {
        if (main === undefined || installed === undefined) throw new Error('The platform was not opened.');
        if (requirement.alone !== undefined) return ends.get(requirement.id) ?? heldAlone(platform, installed, requirement);
        tidied(main.sandbox);
        await requirement.hold(main);
      });
    }
  });
}
