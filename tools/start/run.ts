import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { brand } from '../../shared/brand.ts';
import type { Request } from '../../sandbox/context.ts';
import type { MorePages } from '../../sandbox/hostPage/site.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { openInBrowser } from '../../sdk/node/person.ts';
import { runProgram, type ToolCommand, type DeclaredOptions as CommandOptions, type Values } from '../commandLine/command.ts';
import { whenParentIsGone } from '../process/parent.mjs';
import { sentenceOf } from '../process/sentence.cjs';
import { claim, ownFolder, recall, remember, reset } from './dataFolder.ts';
import { openN8nSide, type StartPlan } from './n8nSide.ts';
import { OpenedParts } from '../process/opened.ts';
import { checkPorts, type StartChoices } from './options.ts';
import { Progress, StepFailed } from './progress.ts';
import { makers, roundTrip } from './roundTrip.ts';
import { addresses, clock } from './shown.ts';
import { openAgentSide, openZapierSide, type Sides } from './sides.ts';
import { startPages } from './startPage.ts';

const portsStep = 'checking the ports';

const started = performance.now();
const seconds = (): string => `${Math.round((performance.now() - started) / 1000)} s`;
const opened = new OpenedParts();
const progress = new Progress();
let stopping = false;

/**
 * Runs the main job and keeps running or, with --once, exits: with 0 if everything worked.
 *
 * @param plan turns the options into a plan
 */
export async function runStart<O extends CommandOptions>(
  command: ToolCommand<O>,
  plan: (values: Values<O>) => Promise<StartPlan>,
): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal === 'SIGINT' ? 130 : 143));
  whenParentIsGone(() => void stop(143));
  await runProgram(command, async ({ values }) => {
    const planned = await plan(values);
    try {
      return await runPlan(planned, command.name);
    } catch (error) {
      // Stopping interrupts the step that is running. That is not an error to report.
      if (!stopping) {
        const step = error instanceof StepFailed ? error.step : 'start';
        const end = step === portsStep ? 'Nothing was started.' : `main job: failed at '${step}' after ${seconds()}`;
        console.error(`\n${sentenceOf(error)}\n${end}`);
        await stop(1);
      }
      return 1;
    }
  });
}

/** @returns the exit code if nothing keeps running */
async function runPlan(planned: StartPlan, command: string): Promise<number | undefined> {
  const { options } = planned;
  if (!options.keepsData) opened.add('the data folder', () => rm(options.folder, { recursive: true, force: true, maxRetries: 3 }));
  await ownFolder(options.folder);
  const claimed = claim(options.folder);
  if (typeof claimed === 'string') return besides(claimed, options, command);
  opened.add('the lock on the data folder', async () => claimed.release());
  if (options.reset) await reset(options.folder);

  console.log(`${brand.name}: the service, n8n, the Zap and an agent, on this machine\n`);
  const hasBooked = !options.once && (await recall(options.folder)).hasBooked === true;
  await progress.step(portsStep, () => checkPorts(options.ports, command));
  let isUp = false;
  let start: MorePages = () => undefined;
  const settings = {
    port: options.ports.sandbox,
    file: join(options.folder, 'sandbox.sqlite'),
    pages: (c: Request) => start(c),
    log: (line: string) => isUp && console.log(`  ${clock(Date.now(), sandbox.account.timezone)}  ${line}`),
  };
  const sandbox = await progress.step('starting the scheduling service', () =>
    opened.start('the scheduling service', () => startSandbox(settings)),
  );
  const sides = await openSides(planned, sandbox);
  const done = hasBooked ? '' : await mainJob(sides, options);
  if (hasBooked)
    console.log(
      `\n  Your data from the last start is still there, so no new bookings are made.\n  To watch new ones being made, run \`npm start -- --once\`.\n`,
    );
  if (options.once) {
    const complaints = await opened.closeAll();
    if (complaints.length > 0) throw new StepFailed('stopping', new Error(complaints.join('\n')));
    console.log(`main job: ok, ${done}, ${seconds()}`);
    process.exit(0);
  }
  const path = `/host/start-${randomBytes(12).toString('hex')}`;
  start = startPages(sides, path);
  // With the same host name as n8n's, because the browser keeps n8n's cookie by name, not by port.
  const address = `http://localhost:${options.ports.sandbox}${path}`;
  const text = addresses(sides, address, options);
  claimed.show(text);
  console.log(`${text}\n  Ctrl-C stops everything. All times are in ${sandbox.account.timezone}. Deliveries:`);
  isUp = true;
  if (options.opens) openInBrowser(address);
  return undefined;
}

/** Another start uses the folder, so the text that it has shown is printed again. */
function besides(shown: string, { once, reset, folder }: StartChoices, command: string): number {
  console.log(
    `${command} is already running with the data in ${folder}. To begin again, stop it with Ctrl-C in its terminal, or name another folder with --data.`,
  );
  console.log(shown === '' ? 'It is still starting: wait until it has printed its addresses.' : `Its addresses:\n\n${shown}`);
  return once || reset || shown === '' ? 1 : 0;
}

/** Makes the bookings. @returns a description of what was done */
async function mainJob(sides: Sides, { once, folder }: StartChoices): Promise<string> {
  const receipts: string[] = [];
  for (const by of makers) receipts.push(...(await progress.step(`booking with ${by}`, () => roundTrip(sides, by))));
  await remember(folder, { ...(await recall(folder)), hasBooked: true });
  const done = `${makers.length} bookings, ${receipts.length} deliveries verified`;
  console.log(`\n${once ? receipts.join('\n') : `  ${done}`}\n`);
  return done;
}

/** All sides start at the same time. If one fails, the others are awaited, so that everything they opened can be stopped. */
async function openSides(plan: StartPlan, sandbox: Sandbox): Promise<Sides> {
  const starting = { ...plan, sandbox, progress, opened };
  const opening = [openN8nSide(starting), openZapierSide(starting), openAgentSide(starting)] as const;
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
