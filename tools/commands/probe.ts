/** `npm run probe`: checks a real service against every assumption, and reports which form matched. */
import { setTimeout as sleep } from 'node:timers/promises';
import { brand } from '../../shared/brand.ts';
import { NetworkFault } from '../../shared/client/ports.ts';
import { askPerson } from '../../sdk/node/person.ts';
import { copiedFrom } from '../../sdk/node/settings.ts';
import { writeFile } from 'node:fs/promises';
import { address, flag, Misuse, runProgram, text, whole } from '../commandLine/command.ts';
import { connect } from '../probe/connect.ts';
import { probe } from '../probe/probe.ts';
import { reportText, settledIn } from '../probe/report.ts';
import { startReceiver } from '../probe/receiver.ts';

const environment = {
  id: 'SCHEDULING_CLIENT_ID',
  secret: 'SCHEDULING_CLIENT_SECRET',
  token: 'SCHEDULING_TOKEN',
  refreshToken: 'SCHEDULING_REFRESH_TOKEN',
} as const;

const command = {
  name: 'npm run probe',
  does: 'checks which assumptions a real service meets. It only reads unless you allow more.',
  options: {
    base: { ...text('<address>', 'The base URL of the service.'), default: brand.baseUrl },
    connect: text(
      '<address>',
      'Connects an account through the consent page, also checks its tokens, and ends the connection. The address must be on this machine, such as http://localhost:9000, and registered with the service as a redirect address.',
    ),
    'client-id': text('<id>', `With --connect: the client id. Defaults to ${environment.id}; otherwise it asks.`),
    write: flag(
      'Also books, cancels, subscribes and unsubscribes. Its bookings stay in your account as cancelled ones; everything else is removed. Use your own account, because its host gets the emails.',
    ),
    'deliver-to': text(
      '<address>',
      'With --write: a public address that leads to --port on this machine. Without it, deliveries are only checked if the service runs on this machine.',
    ),
    port: text('<number>', 'Where deliveries arrive. By default any free port.'),
    settled: { ...text('<file>', 'Where it writes the forms that your service has, for `npm run settle`.'), default: 'settled.json' },
    limits: flag("Also uses up one minute's subscription requests."),
  },
  examples: [
    [`npm run probe -- --base https://api.example.com/api/v1 --connect http://localhost:9000`, 'Asks for the client id and the secret.'],
    [
      'npm run probe -- --base http://127.0.0.1:4010/api/v1 --connect http://localhost:9000 --write',
      'Checks the sandbox (`npm run sandbox`), which prints its client id and secret.',
    ],
  ],
  more: [
    `From the environment, because npm prints every option:
  ${environment.id}, ${environment.secret}
      With --connect: your application. It asks for the ones that are not set.
  ${environment.token}
      Instead of --connect: an access token of an account with the Pro plan and all permissions.
  ${environment.refreshToken}
      With ${environment.token} and your application: also checks tokens, and uses them up.`,
    'The exit code is 1 if something differs. It never prints tokens, secrets or values of records.',
  ],
} as const;

await runProgram(command, async ({ values }) => {
  const { write = false, limits = false } = values;
  const base = address(values.base, 'base');
  const redirectUri = address(values.connect, 'connect');
  const deliverTo = address(values['deliver-to'], 'deliver-to');
  const given = (name: string): string | undefined => copiedFrom(process.env, name);
  const ownToken = given(environment.token);
  if (redirectUri === undefined && ownToken === undefined)
    throw new Misuse(`Choose how to connect: --connect http://localhost:9000, or set ${environment.token}.`);
  const asked = async (name: string, question: string, isSecret: boolean): Promise<string | undefined> =>
    given(name) ?? (redirectUri === undefined ? undefined : await askPerson(`${question} (${name})`, { isSecret }));
  const clientId = values['client-id'] ?? (await asked(environment.id, 'Client id', false));
  const clientSecret = await asked(environment.secret, 'Client secret', true);
  const client = clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : undefined;

  const receiver = write ? await startReceiver(whole(values.port ?? '0', '--port', 0, 65_535)) : undefined;
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(base).hostname);
  const here = isHere && receiver !== undefined ? `http://127.0.0.1:${receiver.port}/` : undefined;
  try {
    const tokens =
      redirectUri !== undefined && client !== undefined
        ? await connect({ baseUrl: base, ...client, redirectUri }, (page) =>
            console.error(`Open this address and allow access:\n\n  ${page}\n`),
          )
        : undefined;
    const token = tokens?.access_token ?? ownToken ?? '';
    const refreshToken = tokens?.refresh_token ?? given(environment.refreshToken);
    const connection = client !== undefined && refreshToken !== undefined ? { ...client, refreshToken } : undefined;
    const ports = {
      baseUrl: base,
      token,
      now: Date.now,
      sleep: (ms: number) => sleep(ms),
      say: (line: string) => console.error(`${line} ...`),
    };
    const report = await probe(ports, { write, limits, deliverTo: deliverTo ?? here, receiver, connection, tokens });
    const settled = settledIn(report);
    await writeFile(values.settled, `${JSON.stringify(settled, null, 2)}\n`);
    console.log(reportText(report, settled));
    return report.left.length > 0 || report.findings.some(({ verdict }) => verdict === 'differs') ? 1 : 0;
  } catch (error) {
    if (!(error instanceof NetworkFault)) throw error;
    throw new Error(`${base} could not be reached (${error.code}). Check the address and that the service is up.`, { cause: error });
  } finally {
    await receiver?.close();
  }
});
