import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { flag, Misuse, text, type Values, whole } from '../commandLine/command.ts';
import { freePort, isFree } from '../process/freePort.ts';
import { root } from '../root.cjs';

type StartPorts = Record<'sandbox' | 'n8n' | 'zapier', number>;

export interface StartChoices {
  once: boolean;
  folder: string;
  /** Whether the data is kept for later starts. */
  keepsData: boolean;
  ports: StartPorts;
  opens: boolean;
  reset: boolean;
}

const usual: StartPorts = { sandbox: 4010, n8n: 5678, zapier: 4020 };

const port = (says: string, name: keyof StartPorts) => ({ ...text('<port>', says), usual: `${usual[name]}; any free one with --once` });

/** The options of both start commands. */
export const startOptions = {
  once: flag(
    "Runs everything once on free ports with new data and without n8n's editor, then exits. The exit code is 0 if everything worked.",
  ),
  'sandbox-port': port('Where the scheduling service listens.', 'sandbox'),
  'n8n-port': port('Where n8n is reached.', 'n8n'),
  'zapier-port': port("Where Zapier's side listens.", 'zapier'),
  open: flag('Opens the start page in your browser as soon as everything is running.'),
};

/** The options with their defaults. @param folder of the data, within the project; without it, the data is always new */
export async function optionsOf(
  values: Values<typeof startOptions> & { data?: string | undefined; reset?: boolean | undefined },
  folder?: string,
): Promise<StartChoices> {
  const { once = false, data, open: opens = false, reset = false } = values;
  if (once && reset && data === undefined)
    throw new Misuse('--once always begins with new data, so it takes --reset only together with --data <folder>.');
  const portOf = async (name: keyof StartPorts): Promise<number> =>
    whole(values[`${name}-port`] ?? String(once ? await freePort() : usual[name]), `--${name}-port`, 1, 65_535);
  const ports: StartPorts = { sandbox: await portOf('sandbox'), n8n: await portOf('n8n'), zapier: await portOf('zapier') };
  const kept = data !== undefined ? resolve(data) : once || folder === undefined ? undefined : join(root, folder);
  return { once, opens, reset, ports, keepsData: kept !== undefined, folder: kept ?? (await mkdtemp(join(tmpdir(), 'main-job-'))) };
}

/** @param command the command that needs the ports */
export async function checkPorts(ports: StartPorts, command: string): Promise<void> {
  const free = await Promise.all(Object.values(ports).map(isFree));
  const taken = Object.entries(ports).filter((_, index) => free[index] === false);
  if (taken.length === 0) return;
  const others = taken.map(([name]) => `--${name}-port <port>`).join(' ');
  throw new Error(
    `Taken ports: ${taken.map(([, number]) => number).join(', ')}. Stop what listens there, or use others: ${command} -- ${others}`,
  );
}
