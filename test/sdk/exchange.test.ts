import type { Fetch } from '../../sdk/index.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => void (stage = await Stage.open()));
afterAll(() => stage.close());

test("a client sends its requests with the given fetch, or with the runtime's, even if that is replaced later", async () => {
  const sent: string[] = [];
  const counted =
    (name: string, send: Fetch): Fetch =>
    (address, init) => {
      sent.push(name);
      return send(address, init);
    };
  const usual = globalThis.fetch;
  const [given, own] = [stage.client({ fetch: counted('given', usual) }), stage.client()];
  await given.users.current();
  globalThis.fetch = counted('replaced', usual) as typeof fetch;
  try {
    await own.users.current();
  } finally {
    globalThis.fetch = usual;
  }
  expect(sent).toEqual(['given', 'replaced']);
});
