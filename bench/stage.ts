import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox, type Forms, type Sandbox } from '../sandbox/service.ts';
import { openConnectedN8n, type ConnectedN8n } from '../tools/rigs/n8n/connected.ts';
import { runWorkflow, type Execution } from '../tools/rigs/n8n/executions.ts';
import { chain, createWorkflow } from '../tools/rigs/n8n/workflows.ts';
import { fill } from './years.ts';
import { Opened } from '../tools/start/opened.ts';

/** A sandbox with this many bookings, which is stopped with everything else that was opened. */
export async function openYears(opened: Opened, bookings: number, forms: Partial<Forms> = {}): Promise<Sandbox> {
  const file = join(await opened.temporaryFolder('bench-sandbox-'), 'sandbox.sqlite');
  fill(file, bookings);
  return opened.start('the sandbox', () => startSandbox({ file, forms }), stop);
}

const stop = (started: { stop(): Promise<void> }): Promise<void> => started.stop();

/** Runs work in a real n8n that is connected to a sandbox with this many bookings. */
export async function inN8n<Result>(
  bookings: number,
  work: (connected: ConnectedN8n, sandbox: Sandbox) => Promise<Result>,
  { forms, ...options }: Parameters<typeof openConnectedN8n>[1] & { forms?: Partial<Forms> } = {},
): Promise<Result> {
  const opened = new Opened();
  try {
    const sandbox = await openYears(opened, bookings, forms);
    return await work(await opened.start('n8n', () => openConnectedN8n(sandbox, options), stop), sandbox);
  } finally {
    await opened.closeAll();
  }
}

/** Starts that never overlap: three hours apart, after all bookings that the sandbox starts with. */
export const freeStart = (index: number): string =>
  new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + (index + 320) * 10_800_000).toISOString();

/** The processor time that a process has used. Milliseconds, as Linux counts them: in hundredths of a second. */
export async function processorTime(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export const NODE = 'Node';

/** Runs one node by hand in a real n8n, and nothing else. */
export async function runNode(
  { session, credentials }: ConnectedN8n,
  { type, typeVersion = 1, parameters }: { type: string; typeVersion?: number; parameters: Record<string, unknown> },
): Promise<Execution> {
  const begin = { name: 'Begin', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
  const { id } = await createWorkflow(session, chain(type, [begin, { name: NODE, type, typeVersion, parameters, credentials }]));
  return runWorkflow(session, id, begin.name);
}
