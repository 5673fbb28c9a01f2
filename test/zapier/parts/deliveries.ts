import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { brand } from '../../../shared/brand.ts';
import type { RawRequest } from '../../../tools/rigs/zapier/rawRequest.ts';
import type { Outcome, Zap } from '../../../tools/rigs/zapier/zap.ts';
import { cause, reschedule, rowOf } from './causes.ts';
import { onSandbox, same, type Check, type Part, type Stage } from './stage.ts';

const headerName = (name: string) => `Http-${brand.headerPrefix}-${name}`;
const signatureHeader = headerName('Signature');
const idHeader = headerName('Delivery-Id');

/** A Zap for new bookings that has received one real delivery. */
async function withDelivery(
  stage: Stage,
  run: (zap: Zap, genuine: RawRequest) => Promise<void>,
  trigger = 'booking_created',
): Promise<void> {
  const zap = await stage.zapier.turnOn(trigger);
  try {
    cause(stage, rowOf(trigger.toUpperCase()));
    const [outcome] = await zap.settled(1);
    assert.ok(outcome);
    await run(zap, outcome.request);
  } finally {
    await zap.turnOff();
  }
}

const without = (request: RawRequest, ...names: string[]): RawRequest => ({
  ...request,
  headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => !names.includes(name))),
});
const withHeaders = (request: RawRequest, headers: Record<string, string>): RawRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

/** The same delivery under an id of its own, so that only the tested check can drop it. */
const another = (request: RawRequest, content: string, secret: unknown): RawRequest =>
  withHeaders(
    { ...request, content },
    {
      [idHeader]: `dlv_${crypto.randomUUID()}`,
      [signatureHeader]: `sha256=${createHmac('sha256', String(secret)).update(content).digest('hex')}`,
    },
  );

function assertDropped({ items, error }: Outcome): void {
  assert.equal(error, undefined);
  same(items, []);
}

/** One way to forge a delivery, and a word in the log line that names what revealed it. */
const forged = (title: string, forge: (genuine: RawRequest, secret: string) => RawRequest, says: RegExp): Check => ({
  title: `a delivery ${title} starts nothing, and one log line says why without the body`,
  run: (stage) =>
    withDelivery(stage, async (zap, genuine) => {
      const before = stage.zapier.logs.length;
      assertDropped(await zap.receive(forge(genuine, String(zap.subscribeData['signing_secret']))));
      const lines = stage.zapier.logs.slice(before).map(({ message }) => message);
      assert.equal(lines.length, 1, lines.join('\n'));
      assert.match(lines[0] ?? '', says);
      assert.ok(!lines[0]?.includes(String(zap.items[0]?.['id'])));
    }),
});

export const deliveries: Part = {
  name: 'Deliveries',
  checks: [
    forged(
      'whose signature has no prefix',
      (genuine) => withHeaders(genuine, { [signatureHeader]: (genuine.headers[signatureHeader] ?? '').slice(7) }),
      /sha256=/,
    ),
    forged(
      'whose signature is cut short',
      (genuine) => withHeaders(genuine, { [signatureHeader]: (genuine.headers[signatureHeader] ?? '').slice(0, -2) }),
      /64 lowercase hexadecimal digits/,
    ),
    forged(
      'of an event that this Zap did not subscribe to',
      (genuine, secret) =>
        withHeaders(another(genuine, genuine.content.replace('BOOKING_CREATED', 'BOOKING_DENIED'), secret), {
          [headerName('Event')]: 'BOOKING_DENIED',
        }),
      /not subscribed/,
    ),
    forged(
      'under another header prefix',
      (genuine) => withHeaders(without(genuine, signatureHeader), { 'Http-X-Other-Signature': genuine.headers[signatureHeader] ?? '' }),
      /x-other-signature.*headerPrefix/i,
    ),
    {
      title: 'a secretless subscription of the service, which is delivered unsigned, starts nothing',
      run: async (stage) => {
        const zap = await stage.zapier.turnOn('booking_created');
        stage.sandbox.host.deleteSubscription(String(zap.subscribeData['id']));
        stage.sandbox.host.addSecretlessSubscription({ url: zap.targetUrl, events: ['BOOKING_CREATED'] });
        cause(stage, rowOf('BOOKING_CREATED'));
        const [outcome] = await zap.settled(1);
        assert.ok(outcome && outcome.request.headers[signatureHeader] === undefined);
        assertDropped(outcome);
        await zap.turnOff();
      },
    },
    {
      title: 'the signature is found under its name with and without the prefix that Zapier puts before it, in any letter case',
      run: (stage) =>
        withDelivery(stage, async (zap, genuine) => {
          for (const rename of [
            (name: string) => name.replace(/^Http-/, ''),
            (name: string) => name.toLowerCase(),
            (name: string) => name.toUpperCase(),
          ]) {
            const renamed = another(
              genuine,
              genuine.content.replace('{', `{"n": "${crypto.randomUUID()}",`),
              zap.subscribeData['signing_secret'],
            );
            const { items } = await zap.receive({
              ...renamed,
              headers: Object.fromEntries(Object.entries(renamed.headers).map(([name, value]) => [rename(name), value])),
            });
            assert.equal(items.length, 1);
          }
        }),
    },
    {
      title: 'one delivery sent five times in parallel yields one item',
      run: async (stage) => {
        const zap = await stage.zapier.turnOn('booking_created');
        const relay = await stage.zapier.turnOn('booking_created');
        cause(stage, rowOf('BOOKING_CREATED'));
        const [outcome] = await relay.settled(1);
        await zap.settled(1);
        assert.ok(outcome);
        const secret = zap.subscribeData['signing_secret'];
        const copy = another(outcome.request, outcome.request.content.replace('{', `{"n": "${crypto.randomUUID()}",`), secret);
        const headers = Object.fromEntries(
          Object.entries(copy.headers)
            .filter(([name]) => name.startsWith('Http-X-') || name === 'Content-Type')
            .map(([name, value]) => [name.replace('Http-', ''), value]),
        );
        const before = zap.items.length;
        const answers = await Promise.all(
          Array.from({ length: 5 }, () => fetch(zap.targetUrl, { method: 'POST', headers, body: copy.content })),
        );
        assert.ok(answers.every(({ status }) => status === 200));
        await zap.settled(6);
        assert.equal(zap.items.length - before, 1);
        await zap.turnOff();
        await relay.turnOff();
      },
    },
    {
      title: 'malformed headers and bodies, as a stranger may send them, cause no item and no error',
      run: async ({ zapier }) => {
        const path = 'triggers.booking_created.operation.perform';
        for (const content of [null, 5, { event: 'BOOKING_CREATED' }, ''])
          same(await zapier.invoke(path, { rawRequest: { content, headers: null } }), []);
        same(await zapier.invoke(path, { rawRequest: { content: '{}', headers: { 'Http-constructor': 'x', 'Http-toString': 'y' } } }), []);
      },
    },
    {
      title: 'two reschedules of one booking yield two items: repeats are recognised by delivery, not by booking',
      run: async (stage) => {
        const zap = await stage.zapier.turnOn('booking_rescheduled');
        const { id } = stage.sandbox.host.book();
        reschedule(stage.sandbox, id, 500);
        reschedule(stage.sandbox, id, 600);
        await zap.settled(2);
        same(
          zap.items.map((item) => item['id']),
          [id, id],
        );
        assert.equal(new Set(zap.items.map((item) => item['delivery_id'])).size, 2);
        await zap.turnOff();
      },
    },
    {
      title: 'the same delivery reaches two Zaps, each once',
      run: async (stage) => {
        const zaps = [await stage.zapier.turnOn('booking_created'), await stage.zapier.turnOn('booking_created')];
        cause(stage, rowOf('BOOKING_CREATED'));
        for (const zap of zaps) {
          await zap.settled(1);
          assert.equal(zap.items.length, 1);
          await zap.turnOff();
        }
      },
    },
    {
      title: "a delivery is passed on when Zapier's store cannot be reached, and the log says that it was not checked",
      run: async (stage) => {
        const { cache } = stage.zapier.backend;
        cache.available = false;
        try {
          await withDelivery(stage, async (zap, genuine) => {
            assert.equal(zap.items.length, 1);
            assert.equal((await zap.receive(genuine)).items.length, 1);
            assert.ok(stage.zapier.logs.some(({ message }) => message.includes('Could not check')));
          });
        } finally {
          cache.available = true;
        }
      },
    },
    {
      title: 'every form in which a delivery may carry its record is read',
      run: async (stage) => {
        for (const deliveryRecord of ['payload', 'named', 'root'] as const) {
          await onSandbox(stage, { forms: { deliveryRecord, deliveryEvent: 'other' } }, (own) =>
            withDelivery(own, async (zap) => {
              assert.equal(zap.items[0]?.['id'], own.sandbox.bookings().at(-1)?.id);
            }),
          );
        }
      },
    },
    {
      title: 'a test of the trigger without a delivery gives nothing instead of an error, and one without a body says so',
      run: async ({ zapier }) => {
        const before = zapier.logs.length;
        same(await zapier.invoke('triggers.booking_created.operation.perform', {}), []);
        assert.equal(zapier.logs.length, before);
        same(await zapier.invoke('triggers.booking_created.operation.perform', { rawRequest: { headers: {} } }), []);
        assert.match(zapier.logs.at(-1)?.message ?? '', /body of the delivery was already parsed/);
      },
    },
    {
      title: 'no signing secret and no token appears in any log line, nor in anything the process printed',
      run: (stage) =>
        withDelivery(stage, async (zap) => {
          const secrets = [
            zap.subscribeData['signing_secret'],
            stage.zapier.connection?.authData['access_token'],
            stage.zapier.connection?.authData['refresh_token'],
            stage.zapier.environment.CLIENT_SECRET,
          ];
          const written = JSON.stringify(stage.zapier.logs) + stage.zapier.app.output;
          for (const secret of secrets) assert.ok(typeof secret === 'string' && secret.length > 10 && !written.includes(secret));
        }),
    },
  ],
};
