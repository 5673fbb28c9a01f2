import { parseArgs } from 'node:util';
import { brand } from '../shared/brand.ts';
import { HOST_HEADER } from './routes/host.ts';
import { FORM_NAMES, FORMS, parseForm, startSandbox, type Forms } from './service.ts';

const HELP = `npm run sandbox -- [options]: the ${brand.name} service, on this machine

  --port <number>        4010; 0 takes any free one
  --data <file>          .sandbox/sandbox.sqlite; :memory: forgets everything at the end
  --form <name>=<value>  answer in another form; may be given several times
  --redirect <address>   one more redirect address for the client; may be given several times
  --no-limits            without rate limits
  --listen <address>     127.0.0.1
  --allow-non-loopback   deliver to other machines too
  --forward <time>       put the clock of the running sandbox forward, such as 90m or 28h, and end

Forms (the first value is the default):
${FORM_NAMES.map((name) => `  ${name}=${FORMS[name].values.join('|')}\n      ${FORMS[name].gap}: ${FORMS[name].says}`).join('\n')}`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4010' },
      data: { type: 'string', default: '.sandbox/sandbox.sqlite' },
      form: { type: 'string', multiple: true, default: [] },
      redirect: { type: 'string', multiple: true, default: [] },
      'no-limits': { type: 'boolean', default: false },
      listen: { type: 'string', default: '127.0.0.1' },
      'allow-non-loopback': { type: 'boolean', default: false },
      forward: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port must be a number from 0 to 65535, not "${values.port}".`);
  if (values.forward !== undefined) {
    console.log(await forward(port, values.forward));
    return;
  }

  const sandbox = await startSandbox({
    port,
    file: values.data,
    listen: values.listen,
    forms: values.form.reduce<Partial<Forms>>((forms, text) => ({ ...forms, ...parseForm(text) }), {}),
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
}

/**
 * Puts the clock of a sandbox on this machine forward, as if the time had passed.
 *
 * @throws a sentence where the time is none, or no sandbox answers
 */
async function forward(port: number, time: string): Promise<string> {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(time) ?? [];
  const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit];
  if (unitMs === undefined) throw new Error(`--forward takes a number with s, m, h or d behind it, such as 28h, not "${time}".`);
  const origin = `http://127.0.0.1:${port}`;
  const answer = await fetch(`${origin}/host/api/clock/forward`, {
    method: 'POST',
    headers: { [HOST_HEADER]: '1', 'content-type': 'application/json' },
    body: JSON.stringify({ ms: Number(count) * unitMs }),
  }).catch(() => undefined);
  if (answer?.status !== 200)
    throw new Error(`No sandbox answers at ${origin}. Start one with npm run sandbox, or name the port of yours with --port.`);
  const { now } = (await answer.json()) as { now: string };
  return `The sandbox at ${origin} has ${now} now. What fell due meanwhile was sent.`;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
