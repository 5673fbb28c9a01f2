import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { DateTime } from 'luxon';
import { CallingAccount, accountState, clockWith } from '../mcp/adapter/account.ts';
import { serverFactory } from '../mcp/adapter/server.ts';
import { realClock, startSandbox, type Sandbox } from '../sandbox/service.ts';
import { authorizedTransport, ownHttpClient } from '../sdk/client/transport.ts';
import { memoryStore } from '../shared/writes/index.ts';
import { root } from '../tools/root.cjs';
import { faultsIn, snapshotOf } from './grade.ts';
import { ask, parsed, type Model } from './model.ts';
import { madrid, Scene, type Task } from './tasks.ts';

/** More than any task needs: a model that has not finished by then repeats itself. */
const [mostAnswers, mostReplies] = [24, 4];

/** Runs a task in its own sandbox, with the server in this process. @param hasSkill whether the model has read the skill */
export async function runTask(task: Task, model: Model, hasSkill: boolean) {
  const clock = realClock();
  await clock.advance(nextWednesday() - clock.now());
  const sandbox = await startSandbox({ clock, limits: false, allowNonLoopback: true, ...(task.forms && { forms: task.forms }) });
  const client = new Client({ name: 'evals', version: '1.0.0' });
  try {
    for (const { id, start_time, status } of sandbox.bookings())
      if (status !== 'CANCELLED' && Date.parse(start_time) > clock.now()) sandbox.host.cancel(id);
    const account = accountAt(sandbox);
    const [here, there] = InMemoryTransport.createLinkedPair();
    await serverFactory({ version: '1.0.0', account: () => account, log: console.error })().connect(there);
    await client.connect(here);
    return await converse(task, sandbox, client, model, hasSkill);
  } finally {
    await client.close();
    await sandbox.stop();
  }
}

/** An account that is connected without the consent page, and uses the sandbox's clock. */
function accountAt({ baseUrl, clock, issueToken }: Sandbox): CallingAccount {
  const { access_token } = issueToken();
  const transport = authorizedTransport({
    httpClient: ownHttpClient(),
    authorization: { token: () => Promise.resolve(access_token) },
    timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
    timeoutMs: () => 20_000,
    sleep: (milliseconds) => sleep(milliseconds),
    now: () => clock.now(),
  });
  return new CallingAccount({
    baseUrl,
    transport: () => transport,
    clock: clockWith(() => clock.now()),
    state: accountState(
      clock,
      memoryStore(() => clock.now(), 'Try again.'),
    ),
  });
}

/**
 * The time at which every task begins: next Wednesday, nine in the morning in the host's time zone, so that "Thursday" means the same in
 * every run. Milliseconds since the epoch.
 */
function nextWednesday(): number {
  const today = DateTime.fromMillis(Date.now(), { zone: madrid }).startOf('day');
  return today.plus({ days: ((3 - today.weekday + 6) % 7) + 1, hours: 9 }).toMillis();
}

async function converse(task: Task, sandbox: Sandbox, client: Client, model: Model, hasSkill: boolean) {
  const expected = task.prepare(new Scene(sandbox));
  const before = snapshotOf(sandbox);
  sandbox.forgetRequests();
  const faults = (): string[] => faultsIn(before, snapshotOf(sandbox), expected);
  const { tools } = await client.listTools();
  const offered = tools.map(({ name, description, inputSchema: parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
  const skill = hasSkill ? await readFile(join(root, 'mcp', 'skill', 'SKILL.md'), 'utf8') : '';
  const told = ['You are the assistant of Morgan Host and work with tools.', client.getInstructions() ?? '', skill].join('\n\n').trim();
  const messages: object[] = [
    { role: 'system', content: told },
    { role: 'user', content: task.says },
  ];
  const replies = [...(task.replies ?? [])];
  /** `faults` lists everything that went wrong; it is empty if the task was done. */
  const ran = { faults: [] as string[], calls: 0, tokens: 0 };
  let said = 0;
  for (let count = 0; count < mostAnswers; count += 1) {
    const { message, tokens } = await ask(model, messages, offered);
    ran.tokens += tokens;
    const { tool_calls, ...words } = message;
    const called = tool_calls ?? [];
    // Some models refuse an empty list.
    messages.push({ role: 'assistant', ...words, ...(called.length > 0 && { tool_calls: called }) });
    for (const each of called) {
      ran.calls += 1;
      messages.push({ role: 'tool', tool_call_id: each.id, content: await call(client, each.function.name, each.function.arguments) });
    }
    if (called.length > 0) continue;
    said += 1;
    const requests = sandbox.requests().filter(({ path }) => path.startsWith('/v1/'));
    if (said === 1 && task.mustAsk === true && requests.some(({ committed }) => committed))
      ran.faults.push('changed something before it asked');
    if (said === 1 && task.mustLook === true && !requests.some(({ path }) => path.startsWith('/v1/bookings')))
      ran.faults.push('did not look');
    const left = faults();
    if (left.length === 0 || said > mostReplies) return { ...ran, faults: [...ran.faults, ...left] };
    messages.push({ role: 'user', content: replies.shift() ?? 'Yes, please.' });
  }
  return { ...ran, faults: [...ran.faults, ...faults(), `did not end after ${mostAnswers} answers`] };
}

/** The text that a tool returns to the model, even if it refuses the call. */
async function call(client: Client, name: string, given: string): Promise<string> {
  const args = parsed(given === '' ? '{}' : given);
  if (typeof args !== 'object' || args === null) return 'The arguments are not a JSON object.';
  try {
    const { content } = await client.callTool({ name, arguments: { ...args } });
    return content.map((part) => (part.type === 'text' ? part.text : `(${part.type})`)).join('\n');
  } catch (error) {
    return (error as Error).message;
  }
}
