import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '../../../sandbox/service.ts';
import { brand } from '../../../shared/brand.ts';
import { verify } from '../../../shared/webhooks/signature.ts';
import { event, store, stored, surroundingsOf, type Workflow } from '../kill/place.ts';
import { activate } from '../platforms/n8n.ts';
import type { Connection } from '../platforms/told.ts';
import type { Options } from '../options.ts';
import { chance, seedOf } from '../random.ts';

export interface KillResult {
  kills: number;
  /** How many of the next activations were made by a process that had activated before and survived. New processes made the others. */
  bySurvivor: number;
  /** What the killed process had done: the subscriptions at its address when it died. */
  diedWith: { none: number; one: number; more: number };
  /** Killed after subscribing and before storing the secret. */
  diedUnstored: number;
  /** Extra subscriptions at an address after the next activation. */
  orphans: number;
  /** Activations that failed, because of the account's limit or for another reason. */
  blocked: number;
  /** Activations after which a signed delivery cannot be verified with the stored data. */
  withoutSecret: number;
}

/** An odd number, so that both kinds of process activate each workflow in turn. */
const WORKFLOWS = 5;
/** Of the 25 that an account may have, others use so many that one more than our workflows need is left. */
const OF_OTHERS = 19;
const LONGEST_LIFE_MS = 150;
/**
 * One of n8n's main processes leads. Its key lives for 10 seconds and is renewed every 3, so no other process takes over earlier after its
 * death.
 */
const TAKEOVER_MS = 7_000;

interface Posted {
  path: string;
  body: Buffer;
  headers: IncomingHttpHeaders;
}

/**
 * Kills the process that activates a trigger at random points of create, delete and check. Then a new process or a surviving one, in turn,
 * activates once more, and the suite looks at the result.
 */
export async function killed(kills: number, seed: number): Promise<KillResult> {
  const luck = chance(seedOf('kill', seed));
  const folder = mkdtempSync(join(tmpdir(), 'soak-kill-'));
  const sandbox = await startSandbox({ limits: false });
  const posted: Posted[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      posted.push({ path: request.url ?? '', body: Buffer.concat(chunks), headers: request.headers });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const workflows = Array.from(
    { length: WORKFLOWS },
    (_, index): Workflow => ({ url: `${origin}/webhook/${index}/webhook`, file: join(folder, `${index}.json`) }),
  );
  for (const { file } of workflows) writeFileSync(file, '{}');
  for (let index = 0; index < OF_OTHERS; index += 1)
    sandbox.host.addSecretlessSubscription({ url: `${origin}/others/${index}`, events: ['BOOKING_DENIED'] });
  const { access_token: accessToken, refresh_token: refreshToken } = sandbox.issueToken({ expiresInSeconds: 1_000_000_000 });
  const connection: Connection = {
    id: 'kill',
    baseUrl: sandbox.baseUrl,
    clientId: sandbox.client.id,
    clientSecret: sandbox.client.secret,
    accessToken,
    refreshToken,
  };

  const result: KillResult = {
    kills: 0,
    bySurvivor: 0,
    diedWith: { none: 0, one: 0, more: 0 },
    diedUnstored: 0,
    orphans: 0,
    blocked: 0,
    withoutSecret: 0,
  };
  const { now } = Date;
  let leapt = 0;
  Date.now = () => now() + leapt;
  let upcoming = victim();
  while (result.kills < kills) {
    const workflow = workflows[result.kills % WORKFLOWS] as Workflow;
    const current = await upcoming;
    upcoming = victim();
    await kill(current, { workflow, connection }, luck.next() * LONGEST_LIFE_MS);
    result.kills += 1;
    tellDeath(sandbox, workflow, result);

    const place = stored(workflow);
    const isSurvivor = result.kills % 2 === 0;
    if (isSurvivor) {
      result.bySurvivor += 1;
      leapt += TAKEOVER_MS;
    }
    // A process knows an account by the connection's id.
    const told = await activate(surroundingsOf({ ...connection, id: isSurvivor ? 'survivor' : `restart ${result.kills}` }), place);
    store(workflow, place);
    if (told.outcome === 'failed') result.blocked += 1;
    result.orphans += Math.max(0, at(sandbox, workflow).length - 1);
    if (!(await canVerify(sandbox, workflow, posted, result.kills))) result.withoutSecret += 1;
  }
  Date.now = now;
  (await upcoming).kill('SIGKILL');
  await new Promise((resolve) => receiver.close(resolve));
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
  return result;
}

async function victim(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, '..', 'kill', 'victim.ts'), [], {
    execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

async function kill(child: ChildProcess, given: { workflow: Workflow; connection: Connection }, lifeMs: number): Promise<void> {
  const isWarm = once(child, 'message');
  child.send(given);
  await isWarm;
  await pause(lifeMs);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  // A request that was on its way when the process died may still arrive.
  await pause(20);
}

const at = (sandbox: Sandbox, { url }: Workflow): string[] =>
  sandbox.subscriptions().flatMap((each) => (each.url === url ? [each.id] : []));

function tellDeath(sandbox: Sandbox, workflow: Workflow, result: KillResult): void {
  const there = at(sandbox, workflow);
  result.diedWith[there.length === 0 ? 'none' : there.length === 1 ? 'one' : 'more'] += 1;
  const kept = stored(workflow).staticData['webhook'] as { id?: string } | undefined;
  if (there.length > 0 && !there.includes(kept?.id ?? '')) result.diedUnstored += 1;
}

/** Makes an event happen, and verifies its delivery to this workflow with the stored data. */
async function canVerify(sandbox: Sandbox, workflow: Workflow, posted: Posted[], number: number): Promise<boolean> {
  const [contact] = sandbox.contacts();
  if (contact === undefined) return false;
  posted.length = 0;
  sandbox.host.editContact(contact.id, { notes: `${event} ${number}` });
  await sandbox.settled();
  const kept = stored(workflow).staticData['webhook'] as { signing_secret?: string } | undefined;
  const { pathname } = new URL(workflow.url);
  const arrived = posted.filter(({ path }) => path === pathname);
  const signature = `${brand.headerPrefix}-Signature`.toLowerCase();
  return (
    arrived.length === 1 &&
    arrived.every(({ body, headers }) => verify(body, headers[signature] as string | undefined, kept?.signing_secret) === 'valid')
  );
}

export async function killSuite({ runs, seed }: Options): Promise<boolean> {
  const started = performance.now();
  const result = await killed(runs, seed);
  const { bySurvivor, diedWith, diedUnstored, orphans, blocked, withoutSecret } = result;
  console.log(
    `${result.kills} kills (${diedWith.none} with no subscription, ${diedWith.one} with one, ${diedWith.more} with more; ${diedUnstored} before the secret was stored). After the next activation, ${bySurvivor} times by a surviving process: ${orphans} orphans, ${blocked} blocked, ${withoutSecret} without a secret.`,
  );
  console.log(JSON.stringify({ suite: 'kill', seed, ...result, seconds: Math.round((performance.now() - started) / 1000) }));
  return orphans + blocked + withoutSecret === 0;
}
