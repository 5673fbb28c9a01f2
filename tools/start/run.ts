import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brand } from '../../shared/brand.ts';
import { startSandbox, type Delivery, type Sandbox } from '../../sandbox/service.ts';
import { openInBrowser } from '../../sdk/node/person.ts';
import { mcpProgram } from '../build/products.ts';
import { runProgram, type Command, type Options as CommandOptions, type Values } from '../commandLine/command.ts';
import { whenParentIsGone } from '../process/parent.mjs';
import { sentenceOf } from '../process/sentence.cjs';
import { type Running, claim, ownFolder, recall, remember, reset } from './dataFolder.ts';
import { openN8nSide, type N8nHost } from './n8nSide.ts';
import { Opened } from './opened.ts';
import { checkPorts, type Options } from './options.ts';
import { Progress, StepFailed } from './progress.ts';
import { bookThroughAgent, bookThroughN8n, bookThroughZapier, roundTrip, tryForgeries, type Receipt } from './roundTrip.ts';
import { addresses, deliveryLine, summary } from './shown.ts';
import { openAgentSide, openZapierSide, type Sides } from './sides.ts';
import { startPages } from './startPage.ts';

/** What a start does: the main job on n8n in one process, or on something larger. */
export interface Plan {
  options: Options;
  /** How n8n is started. */
  host: N8nHost;
  /** What must exist besides npm's packages. It is checked before anything is downloaded or started. */
  needs?: { what: string; check: () => void };
  /** How many steps it adds. */
  moreSteps?: number;
}

const started = performance.now();
const seconds = (): string => `${Math.round((performance.now() - started) / 1000)} s`;
const opened = new Opened();
/** A plan may add steps; a step whose result is still there is left out. */
const usualSteps = 17;
/** Those of them that make the bookings. */
const bookingSteps = 4;
const progress = new Progress(usualSteps);
let stopping = false;

/**
 * Runs the main job and then keeps running, or exits with --once: with 0 if everything worked. @param plan turns the options into what is
 * to be done
 */
export async function runStart<O extends CommandOptions>(command: Command<O>, plan: (values: Values<O>) => Promise<Plan>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal === 'SIGINT' ? 130 : 143));
  whenParentIsGone(() => void stop(143));
  await runProgram(command, async ({ values }) => {
    const planned = await plan(values);
    try {
      return await runPlan(planned, command.name);
    } catch (error) {
      // Stopping ends what a step was waiting for. That is not an error to report.
      if (!stopping) {
        const step = error instanceof StepFailed ? error.step : 'start';
        console.error(`\n${sentenceOf(error)}\nmain job: failed at '${step}' after ${seconds()}`);
        await stop(1);
      }
      return 1;
    }
  });
}

/** @returns an exit code where nothing stays up */
async function runPlan(planned: Plan, command: string): Promise<number | undefined> {
  const { options, needs } = planned;
  opened.add('the data folder', options.discard);
  const claimed = await ownStep('the data folder is yours alone', async () => {
    await ownFolder(options.folder);
    return claim(options.folder);
  });
  if ('pid' in claimed) return besides(claimed, options, command);
  opened.add('the lock on the data folder', async () => claimed.release());
  if (options.reset) await ownStep('the data of earlier starts is deleted', () => reset(options.folder));

  console.log(`${brand.name}: the service, n8n, the Zap and an agent, on this machine\n`);
  progress.expect(planned.moreSteps ?? 0);
  if (await hasBooked(options)) progress.expect(-bookingSteps);
  if (needs) await progress.step(needs.what, () => Promise.resolve(needs.check()));
  await progress.step(['checking the ports', 'the ports are free'], () =>
    checkPorts(options.ports, { name: command, args: process.argv.slice(2) }),
  );
  const live: { sides?: Sides } = {};
  const settings = {
    port: options.ports.sandbox,
    file: join(options.folder, 'sandbox.sqlite'),
    onAttempt: (delivery: Delivery) => live.sides && console.log(deliveryLine(live.sides, delivery)),
    log: (line: string) => live.sides && options.verbose && console.log(`            ${line}`),
  };
  const sandbox = await progress.step(['starting the scheduling service', 'the scheduling service is up'], () =>
    opened.start(
      'the scheduling service',
      () => startSandbox(settings),
      (service) => service.stop(),
    ),
  );
  const sides = await openSides(planned, sandbox);
  const done = await mainJob(sides, planned);
  if (options.once) {
    const complaints = await opened.closeAll();
    if (complaints.length > 0) throw new StepFailed('stopping', new Error(complaints.join('\n')));
    console.log(`main job: ok, ${done}, ${seconds()}`);
    process.exit(0);
  }
  const path = `/start-${randomBytes(12).toString('hex')}`;
  const { backend } = sides.zapier.runtime;
  // Under the same name as n8n's, whose cookie the browser keeps by name and not by port.
  const address = `http://localhost:${new URL(backend.origin).port}${path}`;
  sandbox.host.startPage = address;
  backend.pages = { path, show: (below) => startPages(sides, address, below) };
  const text = addresses(sides, address, options);
  claimed.show(text);
  console.log(`${text}\n  Ctrl-C stops everything. All times are in ${sandbox.account.timezone}. Deliveries:`);
  live.sides = sides;
  if (options.opens) openInBrowser(address);
  return undefined;
}

/** Another start uses the folder, so the addresses that it printed are printed again. */
function besides({ pid, shown }: Running, { once, reset, folder }: Options, command: string): number {
  const other = `${command} is already running${pid === 0 ? '' : ` (process ${pid})`} with the data in ${folder}`;
  if (once || reset || shown === undefined) {
    const todo =
      shown === undefined ? 'It is still starting: wait until it has printed its addresses' : `Stop it with Ctrl-C in its terminal`;
    console.error(`${other}. ${todo}, or name another folder: ${command} -- --data <folder>`);
    return 1;
  }
  console.log(`${other}. Its addresses:\n\n${shown}`);
  return 0;
}

/** What must be true before anything is printed: only a failure is reported. */
async function ownStep<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StepFailed(name, error);
  }
}

/**
 * Makes the bookings, unless they were made with exactly these products and addresses before: a later start adds no bookings to the user's
 * data.
 */
async function mainJob(sides: Sides, { options }: Plan): Promise<string> {
  const fingerprint = await productsOf(sides);
  const memory = await recall(options.folder);
  if (!options.once && memory.proved === fingerprint) {
    console.log(
      `\n  Your data from the last start is still there, so no new bookings are made.\n  To watch new ones being made, run \`npm start -- --once\`.\n`,
    );
    return 'nothing new';
  }
  if (await hasBooked(options)) progress.expect(bookingSteps);
  const receipts: Receipt[] = [];
  for (const [by, book] of [
    ['n8n', bookThroughN8n],
    ['Zapier', bookThroughZapier],
    ['an agent', bookThroughAgent],
  ] as const)
    receipts.push(
      ...(await progress.step([`booking with ${by}`, `a booking made by ${by} has arrived everywhere`], () => roundTrip(sides, by, book))),
    );
  const forgeries = await progress.step(['sending forged deliveries', 'forged deliveries have started nothing'], () => tryForgeries(sides));
  await remember(options.folder, { ...memory, proved: fingerprint });
  const done = `3 bookings, ${receipts.length} deliveries verified, ${forgeries.length} forged ones refused`;
  console.log(options.once ? `\n${summary(receipts, forgeries, sides.sandbox.account.timezone)}\n` : `\n  ${done}\n`);
  return done;
}

/** Whether an earlier start has made the bookings: they are made again only if something else would make them now. */
const hasBooked = async ({ once, folder }: Options): Promise<boolean> => !once && (await recall(folder)).proved !== '';

/** The built products and the addresses that they know each other by, as one value. */
async function productsOf({ sandbox, n8n, zapier }: Sides): Promise<string> {
  const hash = createHash('sha256');
  for (const file of [zapier.zip, await mcpProgram()]) hash.update(await readFile(file));
  return hash.update([n8n.packageHash, n8n.session.origin, sandbox.baseUrl, zapier.runtime.backend.origin].join('\n')).digest('hex');
}

/** All sides start at the same time. If one fails, the others are waited for, so that everything they opened can be stopped. */
async function openSides({ options, host }: Plan, sandbox: Sandbox): Promise<Sides> {
  const opening = [
    openN8nSide({ options, host }, sandbox, progress, opened),
    openZapierSide(options, sandbox, progress, opened),
    openAgentSide(options, sandbox, progress, opened),
  ] as const;
  await Promise.allSettled(opening);
  const [n8n, zapier, agent] = await Promise.all(opening);
  return { sandbox, n8n, zapier, agent };
}

async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  progress.end();
  if (code > 1) console.log('\nStopping ...');
  for (const complaint of await opened.closeAll()) console.error(complaint);
  if (code > 1) console.log('Stopped.');
  process.exit(code);
}
