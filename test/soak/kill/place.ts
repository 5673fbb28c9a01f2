import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '../platforms/told.ts';
import type { Surroundings, TriggerPlace } from '../platforms/n8n.ts';
import type { Timers } from '../platforms/within.ts';
import type { Wire } from '../wire.ts';

/** One workflow with a trigger: where it listens, and the file that stands for n8n's database with its static data. */
export interface Workflow {
  url: string;
  file: string;
}

export const event = 'CONTACT_UPDATED';

/** What n8n has stored for the workflow; nothing before its first activation. */
export function stored({ url, file }: Workflow): TriggerPlace {
  return { url, events: [event], staticData: JSON.parse(readFileSync(file, 'utf8')) as TriggerPlace['staticData'] };
}

/** n8n stores static data when the trigger's life cycle has returned. A process that dies before that has stored nothing. */
export function store({ file }: Workflow, { staticData }: TriggerPlace): void {
  writeFileSync(`${file}.new`, JSON.stringify(staticData));
  renameSync(`${file}.new`, file);
}

const timers = new Map<number, NodeJS.Timeout>();
let last = 0;

/** The real time of the process. */
const realTime: Timers = {
  set(fire, ms) {
    timers.set((last += 1), setTimeout(fire, ms));
    return last;
  },
  clear(id) {
    clearTimeout(timers.get(id));
    timers.delete(id);
  },
};

/** Most of a real activation is spent waiting for the network, in either direction, so most kills must happen then. */
const LATENCY_MS = 4;

const overHttp: Wire = async ({ method, url, headers, body }, signal) => {
  await pause(LATENCY_MS);
  const response = await fetch(url, { method, headers, signal, redirect: 'manual', ...(body !== undefined && { body }) });
  const answer = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
  await pause(LATENCY_MS);
  return answer;
};

export const surroundingsOf = (connection: Connection): Surroundings => ({ wire: overHttp, time: realTime, connection });
