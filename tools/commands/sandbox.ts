/** `npm run sandbox`: the scheduling service alone, on this machine. See `--help`. */
import { brand } from '../../shared/brand.ts';
import { HOST_HEADER } from '../../sandbox/routes/host.ts';
import { FORMS, HABITS, parseForm, startSandbox, type Forms } from '../../sandbox/service.ts';
import { runProgram } from '../commandLine/command.ts';
import { checkAddress, flag, list, Refused, text, whole } from '../commandLine/options.ts';

const linesOf = (forms: Record<string, { gap: string; says: string; values: readonly string[] }>): string =>
  Object.entries(forms)
    .map(([name, { gap, says, values }]) => `  ${name}=${values.join(' | ')}\n      ${gap}: ${says}`)
    .join('\n');

const command = {
  name: 'npm run sandbox',
  does: `starts a stand-in for ${brand.name} on this machine and prints how to connect to it. Ctrl-C stops it.`,
  options: {
    port: whole('<number>', 'Where it listens. 0 takes any free port.', { to: 65_535, usual: 4010 }),
    data: text('<file>', 'Where it keeps its data. With `:memory:` the data is lost when it stops.', '.sandbox/sandbox.sqlite'),
    form: list('<name>=<value>', 'Answers in another form, or has another habit.', (each) => void parseForm(each)),
    redirect: list('<address>', 'One more redirect address for the client.', checkAddress),
    'no-limits': flag('Turns off the rate limits.'),
    listen: text('<address>', 'The network address to listen on.', '127.0.0.1'),
    'allow-non-loopback': flag('Delivers to other machines as well.'),
    forward: text('<time>', 'Moves the clock of the running sandbox forward, for example by 90m or 28h, and exits.'),
  },
  examples: [
    ['npm run sandbox', 'The service at http://127.0.0.1:4010. Its data is kept.'],
    ['npm run sandbox -- --port 0 --data :memory:', 'On any free port, without keeping data.'],
    ['npm run sandbox -- --redirect http://127.0.0.1:4031/callback', 'For an application of your own.'],
    ['npm run sandbox -- --forward 28h', 'Sends now everything that is due in the next 28 hours.'],
  ],
  more: [`Forms (the first value is the default):\n${linesOf(FORMS)}`, `Habits of ordinary services:\n${linesOf(HABITS)}`],
} as const;

await runProgram(command, async ({ values }) => {
  if (values.forward !== undefined) return console.log(await forward(values.port, values.forward));
  const sandbox = await startSandbox({
    port: values.port,
    file: values.data,
    listen: values.listen,
    forms: values.form.reduce<Partial<Forms>>((forms, each) => ({ ...forms, ...parseForm(each) }), {}),
    allowNonLoopback: values['allow-non-loopback'],
    ...(values['no-limits'] ? { limits: false } : {}),
    log: (line) => console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`),
  });
  for (const uri of values.redirect) sandbox.allowRedirect(uri);

  const { client, account } = sandbox;
  console.log(`${brand.name} sandbox, Ctrl-C stops it

  Base address       ${sandbox.baseUrl}
  Host page          ${sandbox.origin}/host
  Client id          ${client.id}
  Client secret      ${client.secret}
  Redirect addresses ${client.redirectUris.join('\n                     ')}
  Account            ${account.name} <${account.email}>, ${account.timezone}, plan ${account.plan}
  Data               ${values.data}

Deliveries:`);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  await sandbox.stop();
});

/**
 * Moves the clock of a sandbox on this machine forward, as if the time had passed.
 *
 * @throws a readable error if the time is not valid, or no sandbox answers
 */
async function forward(port: number, time: string): Promise<string> {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(time) ?? [];
  const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit];
  if (unitMs === undefined) throw new Refused(`--forward takes a number followed by s, m, h or d, such as 28h, not "${time}".`);
  const origin = `http://127.0.0.1:${port}`;
  const answer = await fetch(`${origin}/host/api/clock/forward`, {
    method: 'POST',
    headers: { [HOST_HEADER]: '1', 'content-type': 'application/json' },
    body: JSON.stringify({ ms: Number(count) * unitMs }),
  }).catch(() => undefined);
  if (answer?.status !== 200)
    throw new Error(`No sandbox answers at ${origin}. Start one with npm run sandbox, or set its port with --port.`);
  const { now } = (await answer.json()) as { now: string };
  return `The clock of the sandbox at ${origin} is now at ${now}. Everything that became due was sent.`;
}
