import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';
import { bookingOf } from '../bookings.ts';
import { atMost, exactly, rounded, type Line, type Row } from '../report.ts';

/** One poll of a list in which nothing has changed, in a process of its own. */
export interface Polled {
  pages: number;
  /** Milliseconds of processor time. */
  cpuMs: number;
  calls: number;
  /** What is kept between two polls. */
  bytes: number;
  /** How often that was written, over all polls. */
  writes: number;
}

export interface PollerArgument {
  lists: { pages: number; baseUrl: string }[];
  memory: { baseUrl: string; polls: number };
}

export interface PollerResult {
  polled: Polled[];
  /** The heap after a collection, after a tenth of the polls and after all of them. */
  heapMB: { first: number; last: number };
}

const sizes = [1, 100, 1_000];
const polls = 1_000;
const pageSize = 100;

/** Serves lists of bookings: `/<pages>/api/v1/bookings` has that many pages. They are written once, so that serving them costs little. */
async function servePages(): Promise<{ baseUrl(pages: number): string; stop(): Promise<void> }> {
  const bodies = new Map<string, string>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const page = Number(searchParams.get('cursor') ?? 0);
    const next = page + 1 < Number(pathname.split('/')[1]) ? String(page + 1) : null;
    const key = `${page} ${next}`;
    const data = () => Array.from({ length: pageSize }, (_, index) => bookingOf(index * 7, `bkg_${page * pageSize + index}`));
    const body = bodies.get(key) ?? JSON.stringify({ data: data(), next_cursor: next });
    bodies.set(key, body);
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: (pages) => `http://127.0.0.1:${port}/${pages}/api/v1`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** In a process of its own, so that only the polls are measured. @throws if it ends without a result */
async function polledInAnotherProcess(argument: PollerArgument): Promise<PollerResult> {
  const child = fork(join(root, 'bench', 'poller.ts'), [JSON.stringify(argument)], {
    execArgv: ['--expose-gc', '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The polls ended with ${String(code)} before they had a result.`);
  });
  const [result] = (await Promise.race([once(child, 'message'), ended])) as [PollerResult];
  ended.catch(() => undefined);
  return result;
}

function linesOf({ polled, heapMB }: PollerResult): Line[] {
  const at = (pages: number) =>
    polled.find((each) => each.pages === pages) ?? { pages, cpuMs: Number.NaN, calls: Number.NaN, bytes: Number.NaN, writes: Number.NaN };
  const [one, hundred, thousand] = [at(1), at(100), at(1_000)];
  /** Ten times the bookings may cost ten times as much, and no more. */
  const grows = (what: string, says: (each: Polled) => string, of: (each: Polled) => number): Line => ({
    what,
    ours: `${says(thousand)} for 100,000 bookings`,
    against: `${says(hundred)} for 10,000, ${says(one)} for 100`,
    figure: of(thousand) / of(hundred),
    unit: 'x',
    target: atMost(11),
  });
  return [
    grows(
      'calls of a poll',
      ({ calls }) => rounded(calls),
      ({ calls }) => calls,
    ),
    grows(
      'processor time of a poll',
      ({ cpuMs }) => `${rounded(cpuMs)} ms`,
      ({ cpuMs }) => cpuMs,
    ),
    {
      what: 'kept for each booking',
      ours: `${rounded(thousand.bytes / 1000)} kB for 100,000 bookings`,
      against: `${rounded(hundred.bytes / 1000)} kB for 10,000, ${rounded(one.bytes / 1000)} kB for 100`,
      figure: thousand.bytes / 100_000,
      unit: 'bytes',
      target: atMost(20, 'bytes'),
    },
    {
      what: 'writes, over all polls of a list',
      ours: `${thousand.writes} time`,
      against: 'the state at the first poll',
      figure: Math.max(...polled.map(({ writes }) => writes)),
      unit: 'time',
      target: exactly(1, 'time'),
    },
    {
      what: `heap over ${polls.toLocaleString('en')} polls of 1,000 bookings`,
      ours: `${rounded(heapMB.last)} MB at the end`,
      against: `${rounded(heapMB.first)} MB after a tenth`,
      figure: heapMB.last - heapMB.first,
      unit: 'MB more',
      target: atMost(1, 'MB more'),
    },
  ];
}

export const polling: Row = {
  name: 'polling',
  title: 'A poll that finds nothing new',
  async run() {
    const served = await servePages();
    try {
      const lists = sizes.map((pages) => ({ pages, baseUrl: served.baseUrl(pages) }));
      return linesOf(await polledInAnotherProcess({ lists, memory: { baseUrl: served.baseUrl(10), polls } }));
    } finally {
      await served.stop();
    }
  },
};
