import { createServer } from 'node:http';
import { operations, searches } from '../../../shared/operations/index.ts';
import type { ServiceRecord } from '../../../shared/records/fields.ts';
import { createPoller } from '../../../sdk/changes/index.ts';
import { clientOf, placeOf } from '../../../sdk/client/methods.ts';
import { isServiceError } from '../../../sdk/errors.ts';
import { createOAuth } from '../../../sdk/oauth/index.ts';
import { memoryStore } from '../../../sdk/stores/store.ts';
import { createReceiver, endSubscription, keepSubscription, nodeHandler, type Subscribed } from '../../../sdk/webhooks/index.ts';
import type { Sandbox } from '../../../sandbox/service.ts';
import { isEventName, type ListedEventName } from '../../../shared/events.ts';
import { formFields } from '../../../shared/operations/form.ts';
import { fastTime, redirectUri } from '../../sdk/stage.ts';
import { listen } from '../../support/receiver.ts';
import { closingOnFailure, inWords, type Connection, type Platform } from '../platform.ts';

const worded = inWords((error) => (isServiceError(error) ? [error.message, error.advice].join(' ') : undefined));

function connect(sandbox: Sandbox, timeZone?: string): Connection {
  const { client: application, baseUrl } = sandbox;
  const oauth = createOAuth({ clientId: application.id, clientSecret: application.secret, redirectUri, baseUrl });
  const { access_token, refresh_token } = sandbox.issueToken();
  const auth = oauth.connection(memoryStore({ access_token, refresh_token }));
  const given = { auth, baseUrl, ...(timeZone !== undefined && { timeZone }) };
  const client = clientOf([...operations, ...searches], fastTime)(given);
  return {
    async runOperation(operation, { fields, answers }) {
      const answersKey = formFields(operation.input).find(({ control }) => control === 'answers')?.key;
      const { group, method } = placeOf(operation);
      const input = { ...fields, ...(answers !== undefined && answersKey !== undefined && { [answersKey]: answers }) };
      const answer = client[group]?.[method]?.(input);
      if (answer === undefined) throw new Error(`The package has no ${group}.${method}.`);
      return worded('all' in answer ? answer.all() : answer.then((record) => [record]));
    },

    async listen(rows, { maximumAgeSeconds } = {}) {
      const events = rows.map(({ name }) => name).filter(isEventName);
      const items: ServiceRecord[] = [];
      const store = memoryStore<Subscribed>();
      const kept = async () => (await store.read()) ?? { id: '', signing_secret: '' };
      const receiver = createReceiver({ subscription: kept, onRefused: () => undefined, ...(maximumAgeSeconds && { maximumAgeSeconds }) });
      receiver.on(events, ({ record, subscription_id: _own, ...delivered }) => void items.push({ ...record, ...delivered }));
      const server = createServer((...pair) => void nodeHandler(receiver)(...pair));
      const url = `http://127.0.0.1:${await listen(server)}/deliveries`;
      const stop = async (): Promise<void> => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      };
      await closingOnFailure(worded(keepSubscription(client, { url, events, store })), stop);
      return {
        url,
        secret: async () => (await kept()).signing_secret,
        items: () => Promise.resolve(items),
        loseSecret: async () => store.write({ ...(await kept()), signing_secret: '' }),
        async stop() {
          await worded(endSubscription(client, store)).finally(stop);
        },
      };
    },

    poller(rows) {
      const found: ServiceRecord[] = [];
      const names = rows.map(({ name }) => name) as ListedEventName[];
      const poller = createPoller({ client, store: memoryStore() });
      poller.on(names, ({ record, ...change }) => void found.push({ ...record, ...change }));
      return async () => {
        await worded(poller.poll());
        return found.splice(0);
      };
    },
  };
}

/** The package for developers. */
export const sdk: Platform = {
  name: 'the package for developers',
  isPaced: true,
  lacks: {
    answerFields: 'answers are given by key, for this one booking',
    leavesEmptyOut: 'what is empty came from somewhere, so it is refused; only `undefined` is left out and told',
    simplified: 'a program picks the fields that it wants',
  },
  offers: () => true,
  install: () => Promise.resolve({ connect: (sandbox, zone) => Promise.resolve(connect(sandbox, zone)) }),
};
