import { randomUUID } from 'node:crypto';
import { createCredential, N8nSession } from '../../tools/rigs/n8n/session.ts';
import { runWorkflow, type Execution } from '../../tools/rigs/n8n/executions.ts';
import { startN8n, type N8n } from '../../tools/rigs/n8n/instance.ts';
import { createWorkflow, publish, type ConnectionType, type WorkflowFile, type WorkflowNode } from '../../tools/rigs/n8n/workflows.ts';
import { Outside, inTurns, type Turn } from '../support/outside.ts';
import { serving } from './program.ts';
import { freeStart, somebody, Stage } from './stage.ts';

// n8n's own nodes for this protocol, in a real n8n, connected to the program as it is installed.
jest.setTimeout(25 * 60_000);

const key = 'a long key';
const manual = 'By hand';
const outside = new Outside();
let stage: Stage;
let n8n: N8n;
let session: N8nSession;
let reached: Pick<WorkflowNode, 'credentials'> & { parameters: Record<string, unknown> };

beforeAll(async () => {
  await outside.start();
  stage = await Stage.open();
  const endpointUrl = (await serving(stage, { SCHEDULING_MCP_KEY: key })).address;
  n8n = await startN8n({ lean: true });
  session = await N8nSession.setUp(n8n.origin, {
    email: 'owner@example.com',
    password: 'Local-only-1',
    firstName: 'Olive',
    lastName: 'Owner',
  });
  reached = {
    parameters: { serverTransport: 'httpStreamable', endpointUrl, authentication: 'bearerAuth', options: {} },
    credentials: { httpBearerAuth: await credential('httpBearerAuth', { token: key }) },
  };
});
afterAll(async () => {
  await n8n?.stop();
  await stage?.close();
  await outside.stop();
});

async function credential(type: string, data: Record<string, unknown>): Promise<{ id: string; name: string }> {
  const { id, name } = await createCredential(session, { name: type, type, data });
  return { id, name };
}

const node = (name: string, type: string, typeVersion: number, more: Partial<WorkflowNode> = {}): WorkflowNode => ({
  id: randomUUID(),
  name,
  type,
  typeVersion,
  position: [0, 0],
  parameters: {},
  ...more,
});
const to = (name: string, type: ConnectionType = 'main'): WorkflowFile['connections'][string] => ({
  [type]: [[{ node: name, type, index: 0 }]],
});

describe("n8n's MCP Client node", () => {
  const type = '@n8n/n8n-nodes-langchain.mcpClient';
  const client = (name: string, tool: string, more: Record<string, unknown>): WorkflowNode =>
    node(name, type, 1.1, {
      credentials: reached.credentials ?? {},
      parameters: { ...reached.parameters, tool: { __rl: true, mode: 'id', value: tool }, ...more },
    });
  async function run(...nodes: WorkflowNode[]): Promise<Execution> {
    const all = [node(manual, 'n8n-nodes-base.manualTrigger', 1), ...nodes];
    const connections = Object.fromEntries(all.slice(1).map(({ name }, index) => [all[index]?.name ?? '', to(name)]));
    const { id } = await createWorkflow(session, { name: 'By the protocol', nodes: all, connections });
    return runWorkflow(session, id, manual);
  }

  it('lists the event types, and books one of them', async () => {
    const [invitee_email, start_time] = [somebody(), freeStart()];
    const value = {
      event_type_id: "={{ $json.structuredContent.records.find(({ name }) => name === 'Coffee Chat').id }}",
      start_time,
      invitee_name: 'Ada Lovelace',
      invitee_email,
    };
    const execution = await run(
      client('Event types', 'list_event_types', { inputMode: 'json', jsonInput: '{}' }),
      client('Booked', 'create_booking', { inputMode: 'manual', parameters: { mappingMode: 'defineBelow', value } }),
    );
    expect(execution.error).toBeUndefined();
    const bookings = stage.bookingsOf(invitee_email);
    expect(bookings).toMatchObject([{ event_type_id: stage.coffee.id, invitee_name: 'Ada Lovelace', start_time, status: 'CONFIRMED' }]);
    expect(execution.items('Booked')).toMatchObject([{ structuredContent: { id: bookings[0]?.id, status: 'CONFIRMED' } }]);
  });
});

describe("an AI agent in n8n with n8n's MCP Client Tool", () => {
  const webhookId = randomUUID();
  const langchain = '@n8n/n8n-nodes-langchain';

  async function agent(): Promise<WorkflowFile> {
    const model = { __rl: true, mode: 'id', value: 'gpt-4.1-mini' };
    const openAiApi = await credential('openAiApi', { apiKey: 'none', url: `${outside.origin}/v1` });
    return {
      name: 'An agent',
      nodes: [
        node('Chat', `${langchain}.chatTrigger`, 1.1, { webhookId, parameters: { public: true, mode: 'webhook', options: {} } }),
        node('Agent', `${langchain}.agent`, 3.1),
        node('Model', `${langchain}.lmChatOpenAi`, 1.3, {
          parameters: { model, responsesApiEnabled: false, options: {} },
          credentials: { openAiApi },
        }),
        node('Scheduling', `${langchain}.mcpClientTool`, 1.4, { ...reached, parameters: { ...reached.parameters, include: 'all' } }),
      ],
      connections: { Chat: to('Agent'), Model: to('Agent', 'ai_languageModel'), Scheduling: to('Agent', 'ai_tool') },
      settings: { executionOrder: 'v1' },
    };
  }

  /** The agent's answer to a person, when its model replies with these turns; and everything that the model was shown. */
  async function said(chatInput: string, turns: readonly Turn[]): Promise<{ answer: unknown; shown: string }> {
    outside.forget();
    outside.answer = inTurns(turns);
    const response = await fetch(`${n8n.origin}/webhook/${webhookId}/chat`, {
      method: 'POST',
      headers: { connection: 'close', 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'sendMessage', sessionId: 'a', chatInput }),
    });
    const { output: answer } = (await response.json()) as { output?: unknown };
    return { answer, shown: JSON.stringify(outside.asked.map(({ body }) => body['messages'])) };
  }

  it('finds an event type and books it, and is told that its person has to agree before it cancels', async () => {
    const { id } = await createWorkflow(session, await agent());
    await publish(session, id);
    const [invitee_email, start_time] = [somebody(), freeStart()];
    const bookings = () => stage.bookingsOf(invitee_email);

    const found = await said(`Coffee at ${start_time}? Ada Lovelace, ${invitee_email}`, [
      { name: 'Scheduling_list_event_types', arguments: {} },
      {
        name: 'Scheduling_create_booking',
        arguments: { event_type_id: stage.coffee.id, start_time, invitee_name: 'Ada Lovelace', invitee_email },
      },
      'Booked.',
    ]);
    expect(found.answer).toBe('Booked.');
    expect(found.shown).toContain(stage.coffee.id);
    expect(bookings()).toMatchObject([{ event_type_id: stage.coffee.id, status: 'CONFIRMED' }]);
    const booking_id = bookings()[0]?.id;
    expect(found.shown).toContain(booking_id);

    const cancel = { name: 'Scheduling_cancel_booking', arguments: { booking_id, reason: 'Ill' } };
    const question = await said('Cancel it.', [cancel, 'Shall I cancel your coffee?']);
    expect(question.shown).toContain('nothing was changed');
    expect(bookings()).toMatchObject([{ status: 'CONFIRMED' }]);
  });
});
