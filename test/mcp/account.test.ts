import { CallingAccount, accountState } from '../../mcp/adapter/account.ts';
import { GivenUp } from '../../mcp/adapter/singleFlight.ts';
import type { Client } from '../../shared/client/client.ts';
import type { Sender } from '../../shared/client/limiter.ts';
import { NetworkFault, type ApiRequest, type ApiResponse, type Clock } from '../../shared/client/ports.ts';
import { memoryStore } from '../../shared/writes/index.ts';
import { judgeWrite } from '../../shared/writes/judge.ts';

const hour = 3_600_000;

type Answer = ApiResponse | Error;

const answer = (status: number, body: unknown = {}, headers: Record<string, string> = {}): Answer => ({ status, headers, body });
const busy = (seconds: number): Answer => answer(429, {}, { 'retry-after': String(seconds) });
const lost = new NetworkFault('ECONNRESET', true);

/** An account at a service that gives the prepared answers, the last one again and again; time passes only while somebody waits. */
class Reached {
  time = 0;
  readonly sent: string[] = [];
  /** How much time the call had left when each request was sent. */
  readonly left: number[] = [];
  /** What happens while a call waits before it tries again, and while the service answers. */
  whileWaiting: () => void = () => undefined;
  whileAnswering: (request: ApiRequest) => Promise<void> | void = () => undefined;
  /** Ends the patience of those who wait for the time zone. */
  readonly pauses: { milliseconds: number; end: () => void }[] = [];
  answers: Answer[] = [answer(200)];
  sender: Sender = 'person';
  readonly account: CallingAccount;

  constructor(baseUrl = 'https://service.example/api/v1') {
    const clock: Clock = {
      now: () => this.time,
      sleep: async (milliseconds) => {
        this.time += milliseconds;
        this.whileWaiting();
      },
      random: () => 0,
    };
    this.account = new CallingAccount({
      baseUrl,
      clock,
      sender: () => this.sender,
      pause: (milliseconds) => new Promise((end) => this.pauses.push({ milliseconds, end })),
      state: accountState(clock, memoryStore(clock.now, 'Try again.')),
      transport: (leftMs) => async (request) => {
        this.sent.push(`${request.method} ${new URL(request.url).pathname.replace('/api/v1', '')}`);
        this.left.push(leftMs());
        await this.whileAnswering(request);
        const next = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
        if (next === undefined || next instanceof Error) throw next ?? new Error('There is no answer.');
        return next;
      },
    });
  }

  /** A call that a person can give up. */
  readonly leaving = new AbortController();
  call<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    return this.account.call(this.leaving.signal, work);
  }
}

const read = (client: Client) => client.read({ method: 'GET', path: ['contacts'], resourceName: 'contact', scope: 'any' });
const write = async (client: Client) =>
  (await client.write({ method: 'POST', path: ['bookings'], resourceName: 'booking', scope: 'any', body: {} }, judgeWrite)).state;

let reached: Reached;
beforeEach(() => void (reached = new Reached()));

describe('the time of a call', () => {
  test('is less than the minute after which clients give up, and the transport knows how much of it is left', async () => {
    reached.answers = [busy(4), answer(200)];
    await reached.call(read);
    expect(reached.left).toEqual([55_000, 51_000]);
  });

  test('is not waited out: a service that asks for more than is left is reported at once', async () => {
    reached.answers = [busy(19), busy(19)];
    await expect(reached.call(read)).rejects.toMatchObject({ kind: 'rateLimited' });
    expect([reached.sent.length, reached.time]).toEqual([2, 19_000]);
  });

  test('has passed: nothing is sent, and the call says so, unless something was sent that may have changed something', async () => {
    const late = reached.call((client) => {
      reached.time = 55_000;
      return read(client);
    });
    await expect(late).rejects.toThrow('This call was not made, and nothing was changed');
    await reached.call(async (client) => {
      await write(client);
      reached.time = 110_000;
      await read(client);
    });
    expect(reached.sent).toEqual(['POST /bookings', 'GET /contacts']);
  });
});

describe('a call that is given up', () => {
  const giveUp = (): void => reached.leaving.abort();

  test.each<[string, (client: Client) => Promise<unknown>, Answer]>([
    ['a reading request whose answer was lost', read, lost],
    ['a writing request that the service certainly did not carry out', write, busy(1)],
  ])('while it waits to repeat %s is not sent again, and waits no longer', async (_, work, first) => {
    reached.answers = [first, answer(200)];
    let waits = 0;
    reached.whileWaiting = () => {
      waits += 1;
      giveUp();
    };
    await expect(reached.call(work)).rejects.toThrow(GivenUp);
    expect([reached.sent.length, waits]).toEqual([1, 1]);
  });

  test('while the service refuses it does not even begin to wait', async () => {
    reached.answers = [busy(1), answer(200)];
    reached.whileAnswering = giveUp;
    await expect(reached.call(write)).rejects.toThrow(GivenUp);
    expect([reached.sent.length, reached.time]).toEqual([1, 0]);
  });

  test.each<[string, Answer, boolean]>([
    ['was carried out', answer(200), true],
    ['may have been carried out: the answer was lost', lost, true],
    ['may have been carried out: the service failed', answer(500), true],
    ['may have been carried out: the service ended the connection', answer(408), true],
    ['was refused', answer(499), false],
  ])('after a writing request that %s goes on to its end only if something may have changed', async (_, first, goesOn) => {
    reached.answers = [first, answer(200)];
    reached.whileAnswering = giveUp;
    const given = reached.call(async (client) => {
      await write(client);
      await client.clock.sleep(1_000);
      await read(client);
    });
    if (goesOn) await given;
    else await expect(given).rejects.toThrow(GivenUp);
    expect(reached.sent).toEqual(['POST /bookings', ...(goesOn ? ['GET /contacts'] : [])]);
  });
});

describe('a call that waits', () => {
  const second = 1_000;

  test("longer for the service's limit than it has time is refused at once, and the next one is not held up", async () => {
    for (let count = 0; count < 980; count += 1) await reached.call(read);
    await expect(reached.call(read)).rejects.toThrow('other requests would make it wait too long');
    expect([reached.sent.length, reached.time]).toEqual([980, 0]);
    reached.time = 6 * second;
    await reached.call(read);
    expect([reached.sent.length, reached.time]).toEqual([981, 60_500]);
  });

  test('is the first one of a run of many that leaves room for the others, who still pass at once', async () => {
    reached.sender = 'bulk';
    for (let count = 0; count < 882; count += 1) await reached.call(read);
    reached.sender = 'person';
    await reached.call(read);
    expect(reached.time).toBe(0);
    reached.sender = 'bulk';
    await reached.call(read);
    await reached.call(read);
    expect(reached.time).toBeGreaterThan(0);
  });
});

describe("the host's time zone", () => {
  const me = (timezone: unknown): Answer => answer(200, { id: 'usr_1', email: 'host@example.com', name: 'Host', timezone });

  test('is read once for all calls of an hour, and again after that', async () => {
    reached.answers = [me('Europe/Madrid')];
    const zones = await Promise.all([reached.account.hostZone(), reached.account.hostZone()]);
    expect([zones, reached.sent]).toEqual([['Europe/Madrid', 'Europe/Madrid'], ['GET /me']]);
    reached.answers = [me('Asia/Tokyo')];
    reached.time = hour;
    expect([await reached.account.hostZone(), reached.sent.length]).toEqual(['Europe/Madrid', 1]);
    reached.time = hour + 1;
    expect([await reached.account.hostZone(), reached.sent.length]).toEqual(['Asia/Tokyo', 2]);
  });

  test('that is not shown or cannot be read spoils no answer, and is asked for again', async () => {
    reached.answers = [me(undefined), answer(403), me('Europe/Madrid')];
    for (const zone of [undefined, undefined, 'Europe/Madrid']) expect(await reached.account.hostZone()).toBe(zone);
  });

  test('that does not come soon is left out after two seconds, and is there for the next call', async () => {
    reached.answers = [me('Europe/Madrid')];
    let arrive = (): void => undefined;
    const arriving = new Promise<void>((resolve) => (arrive = resolve));
    reached.whileAnswering = () => arriving;
    const impatient = reached.account.hostZone();
    expect(reached.pauses[0]?.milliseconds).toBe(2_000);
    reached.pauses[0]?.end();
    expect(await impatient).toBeUndefined();
    const next = reached.account.hostZone();
    arrive();
    expect([await next, reached.sent, reached.left]).toEqual(['Europe/Madrid', ['GET /me'], [55_000]]);
  });
});

test('an account at an address that is not safe is refused before anything is sent', () => {
  expect(() => new Reached('http://service.example/api/v1')).toThrow('base URL');
});
