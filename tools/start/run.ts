import { join } from 'node:path';
import { brand } from '../../shared/brand.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { whenParentIsGone } from '../process/parent.mjs';
import {
  bookThroughAgent,
  bookThroughN8n,
  bookThroughZapier,
  goRound,
  tryForgeries,
  type Forgery,
  type Receipt,
  type Sides,
} from './mainJob.ts';
import { openAgentSide } from './agentSide.ts';
import { openN8nSide, type N8nHost } from './n8nSide.ts';
import { Opened } from './opened.ts';
import { checkPorts, type Options } from './options.ts';
import { ownFolder } from './ownFolder.ts';
import { Progress, StepFailed } from './progress.ts';
import { table } from './table.ts';
import { openZapierSide } from './zapierSide.ts';

/** A command that starts: how it is typed, what `--help` prints, and how it reads its command line; nothing where help was asked for. */
export interface Command {
  name: string;
  help: string;
  plan: (args: string[]) => Promise<Plan | undefined>;
}

/** What a start does: the main job on n8n in one process, or on something larger. */
export interface Plan {
  options: Options;
  /** How n8n is brought up. */
  host: N8nHost;
  /** What comes after the main job, told below its tables. */
  afterwards?: (sides: Sides, progress: Progress) => Promise<string>;
  /** What must be there beside npm's packages, looked for before anything is downloaded or started. */
  needs?: { what: string; check: () => void };
}

const started = performance.now();
const seconds = (): string => `${Math.round((performance.now() - started) / 1000)} s`;
const opened = new Opened();
const progress = new Progress();
let stopping = false;

/** Runs the main job and then stays up, or ends where the options say once: with 0 when everything held. */
export async function runStart({ name, help, plan }: Command): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal === 'SIGINT' ? 130 : 143));
  whenParentIsGone(() => void stop(143));
  let planned: Plan | undefined;
  try {
    planned = await plan(process.argv.slice(2));
  } catch (error) {
    console.error(`${wrongOption(error)} ${name} -- --help lists the options.`);
    process.exit(1);
  }
  if (planned === undefined) return console.log(help);
  try {
    await carryOut(planned, name);
  } catch (error) {
    // Stopping takes away what a step was waiting for: that is not a failure to be told.
    if (!stopping) {
      const step = error instanceof StepFailed ? error.step : 'start';
      console.error(`\n${error instanceof Error ? error.message : String(error)}\nmain job: failed at '${step}' after ${seconds()}`);
      await stop(1);
    }
  }
}

/** What is wrong with the command line: of Node's own words the first sentence, because the others are about arguments that no command here takes. */
function wrongOption(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first = ''] = error.message.split(/\.(?:\s|$)/);
  return `${first}.`;
}

async function carryOut({ options, host, afterwards, needs }: Plan, command: string): Promise<void> {
  opened.add('the data folder', options.discard);
  console.log(`${brand.name}: one booking each through n8n, Zapier and an agent, and back to n8n and Zapier\n`);
  if (needs) await progress.step(needs.what, () => Promise.resolve(needs.check()));
  await progress.step('the ports are free', () => checkPorts(options.ports, command));
  await progress.step('the data folder is yours alone', () => ownFolder(options.folder));
  const live = { isOn: false };
  const settings = {
    port: options.ports.sandbox,
    file: join(options.folder, 'sandbox.sqlite'),
    log: (line: string) => live.isOn && console.log(`  ${new Date().toTimeString().slice(0, 8)}  ${line}`),
  };
  const sandbox = await progress.step('the scheduling service is up', () =>
    opened.start(
      'the scheduling service',
      () => startSandbox(settings),
      (service) => service.stop(),
    ),
  );
  const sides = await openSides(options, host, sandbox);
  const receipts = [
    ...(await progress.step('a booking made by n8n has gone round', () => goRound(sides, 'n8n', bookThroughN8n))),
    ...(await progress.step('a booking made by Zapier has gone round', () => goRound(sides, 'Zapier', bookThroughZapier))),
    ...(await progress.step('a booking made by an agent has gone round', () => goRound(sides, 'an agent', bookThroughAgent))),
  ];
  const forgeries = await progress.step('forged deliveries have started nothing', () => tryForgeries(sides));
  console.log(`\n${summary(receipts, forgeries)}\n`);
  if (afterwards) console.log(`${await afterwards(sides, progress)}\n`);
  if (options.once) {
    const complaints = await opened.closeAll();
    if (complaints.length > 0) throw new StepFailed('stopping', new Error(complaints.join('\n')));
    console.log(`main job: ok, 3 bookings, ${receipts.length} deliveries verified, ${forgeries.length} forged ones refused, ${seconds()}`);
    process.exit(0);
  }
  console.log(addresses(sides, options));
  live.isOn = true;
}

/** All come up side by side; when one fails, the others are waited for, so that everything it opened is known and can be stopped. */
async function openSides(options: Options, host: N8nHost, sandbox: Sandbox): Promise<Sides> {
  const [n8n, zapier, agent] = await Promise.allSettled([
    openN8nSide(options, host, sandbox, progress, opened),
    openZapierSide(options, sandbox, progress, opened),
    openAgentSide(sandbox, progress, opened),
  ]);
  if (n8n.status === 'rejected') throw n8n.reason;
  if (zapier.status === 'rejected') throw zapier.reason;
  if (agent.status === 'rejected') throw agent.reason;
  return { sandbox, n8n: n8n.value, zapier: zapier.value, agent: agent.value };
}

function summary(receipts: Receipt[], forgeries: Forgery[]): string {
  const received = receipts.map(({ bookedBy, receivedBy, event, about, signature, ms }) => [
    bookedBy,
    receivedBy,
    event,
    about,
    signature,
    `${ms} ms`,
  ]);
  const forged = forgeries.map(({ what, receivedBy, verdict }) => [what, receivedBy, verdict]);
  return [
    table(['Booked by', 'Received by', 'Event', 'About', 'Signature', 'Booking to execution'], received),
    '',
    table(['Forged with', 'Sent to', 'Verdict'], forged),
  ].join('\n');
}

function addresses({ sandbox, n8n, zapier }: Sides, { folder }: Options): string {
  const workflow = (name: string, id: string): string[] => [`  workflow "${name}"`, `${n8n.session.origin}/workflow/${id}`];
  return [
    table(
      ['Open', 'Address', 'Sign in with'],
      [
        ['n8n', n8n.session.origin, `${n8n.owner.email}   ${n8n.owner.password}`],
        workflow(n8n.booking.name, n8n.booking.id),
        workflow(n8n.listening.name, n8n.listening.id),
        ['the scheduling service', `${sandbox.origin}/host`, 'nothing'],
        ["Zapier's side (hooks)", zapier.runtime.backend.origin, 'nothing'],
      ],
    ),
    '',
    `  The data is kept in ${folder}. Ctrl-C stops everything. Deliveries from here on:`,
  ].join('\n');
}

async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  progress.end();
  if (code > 1) console.log('\nStopping ...');
  for (const complaint of await opened.closeAll()) console.error(complaint);
  process.exit(code);
}
