import { randomUUID } from 'node:crypto';
import { NodeError, WorkflowActivationError, type IDataObject } from 'n8n-workflow';
import { operations } from '../../../shared/operations/index.ts';
import type { ServiceRecord } from '../../../shared/records/fields.ts';
import { execute } from '../../../n8n/adapter/execute.ts';
import { pollNode } from '../../../n8n/adapter/poll.ts';
import { receive } from '../../../n8n/adapter/receive.ts';
import { storedSubscription, subscribeNode, unsubscribeNode } from '../../../n8n/adapter/subscription.ts';
import { executeHost, hookHost, pollHost, webhookHost } from '../../n8n/support/host.ts';
import { startReceiver } from '../../support/receiver.ts';
import { closingOnFailure, inWords, type Connection, type Platform } from '../platform.ts';
import { panelOf, shownWords } from './n8nPanel.ts';
import type { Sandbox } from '../../../sandbox/service.ts';

const worded = inWords((error) => (error instanceof NodeError || error instanceof WorkflowActivationError ? shownWords(error) : undefined));

function connect(sandbox: Sandbox, timezone = 'Europe/Berlin'): Connection {
  const host = { sandbox, token: sandbox.issueToken().access_token, credentialId: randomUUID(), timezone };
  return {
    async runOperation(operation, asked) {
      const items = await worded(execute(executeHost({ ...host, parameters: panelOf(operation, asked) })));
      return items.map(({ json }) => json);
    },

    async listen(rows, { maximumAgeSeconds } = {}) {
      const items: ServiceRecord[] = [];
      const staticData: IDataObject = {};
      const workflowId = randomUUID();
      const options = maximumAgeSeconds === undefined ? {} : { maximumAge: maximumAgeSeconds / 60 };
      const trigger = { ...host, workflowId, staticData, parameters: { events: rows.map(({ name }) => name), simplify: false, options } };
      const receiver = await startReceiver(async (delivery) => {
        const { host: hook, answered } = webhookHost(trigger, delivery);
        const { workflowData = [] } = await receive(hook);
        items.push(...workflowData.flat().map(({ json }) => json));
        return answered.status ?? 200;
      });
      const url = receiver.url.replace('/hooks', `/webhook/${randomUUID()}/webhook`);
      const life = hookHost({ ...trigger, url });
      await closingOnFailure(worded(subscribeNode(life)), () => receiver.close());
      const kept = () => storedSubscription(staticData, url);
      return {
        url,
        secret: () => Promise.resolve(kept().signing_secret ?? ''),
        items: () => Promise.resolve(items),
        loseSecret: async () => void delete kept().signing_secret,
        async stop() {
          await worded(unsubscribeNode(life)).finally(() => receiver.close());
        },
      };
    },

    poller(rows) {
      const parameters = { events: rows.map(({ name }) => name), simplify: false };
      const trigger = { ...host, staticData: {}, parameters, activation: 'update', workflowId: randomUUID() } as const;
      return async () => {
        // A poll that begins too early is skipped, so each begins an hour after the previous one.
        const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
        const polled = pollNode(pollHost(trigger).host);
        clock.mockRestore();
        return ((await worded(polled)) ?? []).flat().map(({ json }) => json);
      };
    },
  };
}

/** n8n's adapter in this process, on a stand-in for n8n's contexts. `realN8n.ts` checks how the real n8n uses it. */
export const n8n: Platform = {
  name: "n8n's adapter",
  isPaced: true,
  lacks: {
    everyService: 'the core reads what services differ in, and the package meets each of them',
    zoneless: 'every workflow has a zone',
    leavesEmptyOut: 'what is empty came out of an expression, so the node refuses it',
    refusedToken: 'n8n itself renews a token, and its stand-in here does not',
    keepsTokens: 'n8n itself keeps the tokens and renews them',
  },
  offers: (operation) => operations.includes(operation),
  install: () => Promise.resolve({ connect: (sandbox, zone) => Promise.resolve(connect(sandbox, zone)) }),
};
