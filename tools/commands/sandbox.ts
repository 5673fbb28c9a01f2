/** `npm run sandbox`: starts only the sandbox, on this machine. It is also the program of the sandbox's package. */
import { once } from 'node:events';
import { brand } from '../../shared/brand.ts';
import { HOST_HEADER } from '../../sandbox/hostActions.ts';
import { FORMS, HABITS, parseForm, SERVICES, startSandbox, type RegisteredClient, type Forms } from '../../sandbox/service.ts';
import { address, flag, Misuse, runProgram, text, typed, whole } from '../commandLine/command.ts';
import type { DeclaredOptions, ToolCommand, Values } from '../commandLine/command.ts';

const linesOf = (forms: Record<string, { gap: string; says: string; values: readonly string[] }>): string =>
  Object.entries(forms)
    .map(([name, { gap, says, values }]) => `  ${name}=${values.join(' | ')}\n      ${gap}: ${says}`)
    .join('\n');

const usualData = '.sandbox/sandbox.sqlite';

/** The command as typed: in this project, or from its package, whose name the build puts here. */
const name = process.env['SANDBOX_COMMAND'] ?? 'npm run sandbox';

const command = {
  name,
  does: `starts a stand-in for ${brand.name} on this machine and prints how to connect to it. Ctrl-C stops it.`,
  options: {
    port: { ...text('<number>', 'Where it listens. 0 takes any free port.'), default: '4010' },
    data: { ...text('<file>', 'Where it keeps its data. With `:memory:` the data is lost when it stops.'), usual: usualData },
    form: { ...text('<name>=<value>', 'Uses another form or habit.'), multiple: true },
    redirect: { ...text('<address>', 'One more redirect address for the client.'), multiple: true },
    'no-limits': flag('Turns off the rate limits.'),
    listen: { ...text('<address>', 'The network address to listen on.'), usual: '127.0.0.1' },
    'allow-non-loopback': flag('Delivers to other machines as well.'),
    forward: text('<time>', 'Moves the clock of the running sandbox forward, for example by 90m or 28h, and exits.'),
  },
  examples: [
    [name, 'The service at http://127.0.0.1:4010. Its data is kept.'],
    [`${typed(name)} --port 0 --data :memory:`, 'On any free port, without keeping data.'],
    [`${typed(name)} --redirect http://127.0.0.1:4031/callback`, 'For your own application.'],
    [`${typed(name)} --forward 28h`, 'Sends everything that is due in the next 28 hours now.'],
  ],
  more: [
    `Forms (the first value is the default):\n${linesOf(FORMS)}`,
    `Habits of ordinary services:\n${linesOf(HABITS)}`,
    `Existing services, imitated as a whole:\n${linesOf(SERVICES)}`,
  ],
} as const satisfies ToolCommand<DeclaredOptions>;

const originOf = (port: number): string => `http://127.0.0.1:${port}`;

const shown = (origin: string, { id, secret, redirectUris }: RegisteredClient): string => `  Base URL           ${origin}/api/v1
  Host page          ${origin}/host
  Client id          ${id}
  Client secret      ${secret}
  Redirect addresses ${redirectUris.join('\n                     ')}`;

/** Sends a request to a sandbox on this machine. @returns its response; `undefined` if no sandbox responds there */
async function askRunning(port: number, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${originOf(port)}/host/api/${path}`, {
    headers: { [HOST_HEADER]: '1', 'content-type': 'application/json' },
    ...(body === undefined ? { signal: AbortSignal.timeout(2_000) } : { method: 'POST', body: JSON.stringify(body) }),
  }).catch(() => undefined);
  return answer?.ok === true ? answer.json().catch(() => undefined) : undefined;
}

/** How to use a sandbox that already runs on this port, for example that of `npm start`. It also gets the redirect addresses. */
async function besides(port: number, { redirect = [], port: _, ...others }: Values<(typeof command)['options']>): Promise<string> {
  const there = `A sandbox is already running at ${originOf(port)}`;
  if (Object.keys(others).length > 0)
    throw new Error(`${there} with its own data and options. Stop it, or choose another port with --port (0 takes any free one).`);
  for (const uri of redirect) await askRunning(port, 'client/redirects', { uri });
  return `${there}. Use that one:\n\n${shown(originOf(port), (await askRunning(port, 'client')) as RegisteredClient)}`;
}

/** Moves the clock of a sandbox on this machine forward, as if time had passed. */
async function forward(port: number, time: string): Promise<string> {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(time) ?? [];
  const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit];
  if (unitMs === undefined) throw new Misuse(`--forward takes a number followed by s, m, h or d, such as 28h, not "${time}".`);
  const moved = (await askRunning(port, 'clock/forward', { ms: Number(count) * unitMs })) as { now: string } | undefined;
  if (moved === undefined) throw new Error(`No sandbox answers at ${originOf(port)}. Start one with ${name}, or set its port with --port.`);
  return `The clock of the sandbox at ${originOf(port)} is now at ${moved.now}. Everything that became due was sent.`;
}

/** @throws {Misuse} */
function formsIn(typed: readonly string[]): Partial<Forms> {
  try {
    return Object.assign({}, ...typed.map(parseForm)) as Partial<Forms>;
  } catch (error) {
    throw new Misuse((error as Error).message);
  }
}

void runProgram(command, async ({ values }) => {
  const { data = usualData, form = [], listen } = values;
  const port = whole(values.port, '--port', 0, 65_535);
  const redirect = values.redirect?.map((each) => address(each, 'redirect'));
  const forms = formsIn(form);
  if (values.forward !== undefined) return console.log(await forward(port, values.forward));
  if (port !== 0 && (await askRunning(port, 'client')) !== undefined)
    return console.log(await besides(port, { ...values, ...(redirect && { redirect }) }));
  const sandbox = await startSandbox({
    port,
    file: data,
    ...(listen !== undefined && { listen }),
    forms,
    allowNonLoopback: values['allow-non-loopback'] === true,
    ...(values['no-limits'] === true && { limits: false }),
    log: (line) => console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`),
  });
  for (const uri of redirect ?? []) sandbox.allowRedirect(uri);

  const { client, account } = sandbox;
  console.log(`${brand.name} sandbox, Ctrl-C stops it

${shown(sandbox.origin, client)}
  Account            ${account.name} <${account.email}>, ${account.timezone}, plan ${account.plan}
  Data               ${data}

Deliveries:`);
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
  await sandbox.stop();
});
