import { createServer } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../process/freePort.ts';
import { root } from '../root.cjs';

export const help = `npm start                  the service, n8n and Zapier's side on this machine, and a booking that goes round
npm start -- --once        the same on free ports with data of its own, then the end: 0 when everything held

  --data <folder>          where the data is kept                (.local/start; with --once a temporary folder)
  --sandbox-port <port>    where the scheduling service listens  (4010)
  --n8n-port <port>        where n8n listens                     (5678)
  --zapier-port <port>     where Zapier's side listens           (4020)`;

export interface Options {
  once: boolean;
  folder: string;
  ports: Ports;
  /** Deletes what was only for this run. */
  discard: () => Promise<void>;
}

export interface Ports {
  sandbox: number;
  n8n: number;
  zapier: number;
}

const usual: Ports = { sandbox: 4010, n8n: 5678, zapier: 4020 };
const switches: Record<keyof Ports, string> = { sandbox: '--sandbox-port', n8n: '--n8n-port', zapier: '--zapier-port' };

/**
 * Reads the command line.
 *
 * @returns undefined when help was asked for
 * @throws a sentence for an option that does not exist or a port that is none
 */
export async function readOptions(args: string[]): Promise<Options | undefined> {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean' },
      once: { type: 'boolean' },
      data: { type: 'string' },
      'sandbox-port': { type: 'string' },
      'n8n-port': { type: 'string' },
      'zapier-port': { type: 'string' },
    },
  });
  if (values.help) return undefined;
  const once = values.once ?? false;
  const port = async (name: keyof Ports): Promise<number> => {
    const given = values[`${name}-port`];
    if (given === undefined) return once ? freePort() : usual[name];
    if (!/^\d+$/.test(given) || Number(given) < 1 || Number(given) > 65_535)
      throw new Error(`${switches[name]} ${given} is no port: give a number from 1 to 65535.`);
    return Number(given);
  };
  const ports: Ports = { sandbox: await port('sandbox'), n8n: await port('n8n'), zapier: await port('zapier') };
  if (values.data === undefined && once) {
    const folder = await mkdtemp(join(tmpdir(), 'main-job-'));
    return { once, ports, folder, discard: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) };
  }
  return {
    once,
    ports,
    folder: values.data === undefined ? join(root, '.local', 'start') : resolve(values.data),
    discard: () => Promise.resolve(),
  };
}

/**
 * @param command the one that the ports are for, as it is typed
 * @throws a sentence that names the port and the option that chooses another
 */
export async function checkPorts(ports: Ports, command: string): Promise<void> {
  for (const name of ['sandbox', 'n8n', 'zapier'] as const) {
    const port = ports[name];
    const others = Object.entries(ports).filter(([other, taken]) => other !== name && taken === port);
    if (others.length > 0 || (await isTaken(port))) {
      throw new Error(
        `Port ${port} is taken. Stop what listens there, or choose another port: ${command} -- ${switches[name]} ${port + 10_000 > 65_535 ? port - 10_000 : port + 10_000}`,
      );
    }
  }
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const server = createServer();
    server.once('error', () => answer(true));
    server.listen(port, '127.0.0.1', () => server.close(() => answer(false)));
  });
}
