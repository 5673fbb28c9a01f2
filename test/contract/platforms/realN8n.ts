import { operations } from '../../../shared/operations/index.ts';
import type { ServiceRecord } from '../../../shared/records/fields.ts';
import { connectAccount, type ConnectedN8n, type OpenedN8n } from '../../support/connectedN8n.ts';
import { finishedExecution, listExecutions } from '../../../tools/rigs/n8n/executions.ts';
import { createWorkflow, getWorkflow, publish, unpublish } from '../../../tools/rigs/n8n/workflows.ts';
import { act, onEvents } from '../../support/n8nWorkflow.ts';
import { inWords, Refused, type Connection, type Platform } from '../platform.ts';
import { panelOf, shownWords } from './n8nPanel.ts';

const trigger = 'On events';

/** If a workflow cannot be published, n8n puts its own words before the reason. */
const worded = inWords((error) =>
  error instanceof Error && error.message.startsWith('The workflow could not be') ? error.message : undefined,
);

/** The panel with the questions as n8n's editor loads them. Without them, n8n does not send answers in their types. */
async function withQuestions(n8n: ConnectedN8n, panel: Record<string, unknown>): Promise<Record<string, unknown>> {
  const given = panel['questionResponses'];
  if (typeof given !== 'object' || given === null || !('value' in given) || given.value === null) return panel;
  const { resource, operation, eventTypeId } = panel;
  const { fields } = await n8n.session.post<{ fields: unknown[] }>('/rest/dynamic-node-parameters/resource-mapper-fields', {
    nodeTypeAndVersion: { name: n8n.nodes.action, version: 1 },
    path: 'parameters.questionResponses',
    methodName: 'questionFields',
    credentials: n8n.credentials,
    currentNodeParameters: { resource, operation, eventTypeId },
  });
  return { ...panel, questionResponses: { ...given, schema: fields } };
}

const connectionOf = (n8n: ConnectedN8n, timezone: string): Connection => ({
  async runOperation(operation, asked) {
    const execution = await act(n8n, await withQuestions(n8n, panelOf(operation, asked)), { timezone });
    if (execution.error !== undefined) throw new Refused(shownWords(execution.error));
    return execution.items('Action');
  },

  async listen(rows, { maximumAgeSeconds } = {}) {
    const { session } = n8n;
    const options = maximumAgeSeconds === undefined ? {} : { maximumAge: maximumAgeSeconds / 60 };
    const file = onEvents(n8n, { events: rows.map(({ name }) => name), simplify: false, options });
    const { id } = await createWorkflow(session, file);
    await worded(publish(session, id));
    const read = new Map<string, ServiceRecord[]>();
    return {
      url: `${n8n.n8n.origin}/webhook/${file.nodes[0]?.webhookId}/webhook`,
      async secret() {
        // Anyone who can read the workflow can read its secret, as the list of stored data says.
        const stored = JSON.stringify(await getWorkflow(session, id)).replaceAll('\\', '');
        return /"signing_secret":"([^"]+)"/.exec(stored)?.[1] ?? '';
      },
      async items() {
        const ended = (await listExecutions(session, id)).filter(({ status }) => !['new', 'running', 'waiting'].includes(status));
        for (const each of ended) if (!read.has(each.id)) read.set(each.id, (await finishedExecution(session, each.id)).items(trigger));
        return [...read.values()].flat();
      },
      loseSecret: () => Promise.reject(new Error('n8n alone writes what a workflow keeps.')),
      stop: () => worded(unpublish(session, id)),
    };
  },
});

/** The package in a real n8n that is already running. */
export const realN8nIn = (opened: () => OpenedN8n): Platform => ({
  name: 'the real n8n',
  isPaced: true,
  lacks: {
    zoneless: 'every workflow has a zone',
    leavesEmptyOut: 'what is empty came out of an expression, so the node refuses it',
    emptyField: 'n8n itself does not run a node that lacks a required parameter',
    answerWords: 'n8n itself judges a fixed value in the field of a question',
    pollsAtOnce: 'n8n polls once a minute',
    keepsTokens: 'n8n itself keeps the tokens and renews them',
    losesSecret: 'n8n alone writes what a workflow keeps',
  },
  offers: (operation) => operations.includes(operation),
  install: async () => ({
    connect: async (sandbox, timezone = 'Europe/Berlin') => connectionOf(await connectAccount(opened(), sandbox), timezone),
  }),
});
