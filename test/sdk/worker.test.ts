import { startWorker, type Worker } from '../../tools/rigs/worker.ts';
import { raw, statusIn } from './deliveries.ts';
import { Installed } from './installed.ts';
import { programUsing, Stage } from './stage.ts';

/** The package in the runtime of a worker, which has nothing of Node.js, installed from its tarball. */
let stage: Stage;
let installed: Installed;
let worker: Worker;
beforeAll(async () => {
  [stage, installed] = [await Stage.open(), await Installed.open()];
  const entry = await installed.write(
    'worker.mjs',
    `${programUsing(stage, 'import')}
import { createReceiver, fetchHandler } from 'our-package/webhooks';
const given = () => {
  const client = createClient({ auth: 'token', baseUrl: ${JSON.stringify(stage.sandbox.baseUrl)} });
  return client.users.current({}, { signal: AbortSignal.abort(new Error('not wanted')) }).catch(({ message }) => message);
};
const receiver = createReceiver({ subscription: undefined, bodyMs: 200 });
const deliveries = fetchHandler(receiver);
export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === '/client') return Response.json([await main(), await given()]);
    return deliveries(request);
  },
};
`,
  );
  worker = await startWorker(entry);
});
afterAll(async () => {
  await worker.stop();
  await installed.close();
  await stage.close();
});

it('calls the service, starts connecting an account, polls, and gives up a call', async () => {
  const answer = await fetch(`${worker.origin}/client`);
  expect(await answer.text()).toBe(JSON.stringify([stage.sandbox.account.email, 'not wanted']));
});

it('answers 408 for a body that stops arriving', async () => {
  const begun = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{"event":';
  expect(statusIn(await raw(worker.origin, begun, { isOpen: true }))).toBe(408);
});
