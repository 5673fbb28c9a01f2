/** `npm run probe`: holds a real service against every assumption and says which form matched. */
import { setTimeout as sleep } from 'node:timers/promises';
import { brand } from '../../shared/brand.ts';
import { NetworkFault } from '../../shared/api/transport.ts';
import { askPerson } from '../../sdk/node/prompt.ts';
import { carryOutCommand } from '../commandLine/command.ts';
import { address, flag, Refused, secret, text, whole } from '../commandLine/options.ts';
import { connect } from '../probe/connect.ts';
import { probe } from '../probe/probe.ts';
import { startReceiver } from '../probe/receiver.ts';
import { reportText } from '../probe/report.ts';
import { fetchTransport } from '../rigs/fetchTransport.ts';

const environment = {
  id: 'SCHEDULING_CLIENT_ID',
  secret: 'SCHEDULING_CLIENT_SECRET',
  token: 'SCHEDULING_TOKEN',
  refreshToken: 'SCHEDULING_REFRESH_TOKEN',
} as const;

const command = {
  name: 'npm run probe',
  does: 'says which of the assumptions hold at a real service. It only reads, unless you ask for more.',
  options: {
    base: address('<address>', 'The base address of the service.', brand.baseUrl),
    connect: address(
      '<address>',
      'Connects an account through the consent page, looks at its tokens too, and ends the connection. The address is one on this machine, such as http://localhost:9000, that is registered with the service as a redirect address.',
    ),
    'client-id': text('<id>', `With --connect: the client id. Left out, ${environment.id} is taken, or you are asked.`),
    write: flag(
      'Also books, cancels, subscribes and unsubscribes. Its bookings stay in your account as cancelled ones; all the rest is removed. Use an account of your own: its host gets the emails.',
    ),
    'deliver-to': address(
      '<address>',
      'With --write: a public address that leads to --port on this machine. Left out, a service on this machine is reached directly, and no delivery of another one is looked at.',
    ),
    port: whole('<number>', 'Where deliveries arrive. By default any free port.', { to: 65_535 }),
    limits: flag('Also uses up the subscription requests of one minute.'),
    'client-secret': secret(`Leave it out, and you are asked for it; or set ${environment.secret}.`),
    token: secret(`Set ${environment.token} instead.`),
    'refresh-token': secret(`Set ${environment.refreshToken} instead.`),
  },
  examples: [
    [`npm run probe -- --base https://api.example.com/api/v1 --connect http://localhost:9000`, 'Asks for the client id and the secret.'],
    [
      'npm run probe -- --base http://127.0.0.1:4010/api/v1 --connect http://localhost:9000 --write',
      'At the sandbox (`npm run sandbox`), whose client id and secret it prints.',
    ],
  ],
  more: [
    `From the environment:
  ${environment.id}, ${environment.secret}
      With --connect: your application. What is not set, you are asked for.
  ${environment.token}
      In place of --connect: an access token that you have, of an account with the Pro plan and with all permissions.
  ${environment.refreshToken}
      With ${environment.token} and your application: looks at tokens too, and uses them up.`,
    'It ends with 1 when something differs. It prints no token, no secret and no value of a record.',
  ],
} as const;

await carryOutCommand(command, async ({ values }) => {
  const { base = brand.baseUrl, connect: redirectUri, write, limits } = values;
  const given = (name: string): string | undefined => process.env[name] || undefined;
  const ownToken = given(environment.token);
  if (redirectUri === undefined && ownToken === undefined)
    throw new Refused(
      `Say how to get in: --connect http://localhost:9000, or set ${environment.token}. \`npm run probe -- --help\` tells more.`,
    );
  const asked = async (name: string, question: string, isSecret: boolean): Promise<string | undefined> =>
    given(name) ?? (redirectUri === undefined ? undefined : await askPerson(`${question} (${name})`, { isSecret }));
  const clientId = values['client-id'] ?? (await asked(environment.id, 'Client id', false));
  const clientSecret = await asked(environment.secret, 'Client secret', true);
  const client = clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : undefined;

  const receiver = write ? await startReceiver(values.port ?? 0) : undefined;
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(base).hostname);
  const deliverTo = values['deliver-to'] ?? (isHere && receiver !== undefined ? `http://127.0.0.1:${receiver.port}/` : undefined);
  try {
    const tokens =
      redirectUri !== undefined && client !== undefined
        ? await connect({ baseUrl: base, ...client, redirectUri }, (page) => console.error(`Open this address and agree:\n\n  ${page}\n`))
        : undefined;
    const token = tokens?.access_token ?? ownToken ?? '';
    const refreshToken = tokens?.refresh_token ?? given(environment.refreshToken);
    const connection = client !== undefined && refreshToken !== undefined ? { ...client, refreshToken } : undefined;
    const ports = {
      baseUrl: base,
      token,
      transportFor: fetchTransport,
      now: Date.now,
      sleep: (ms: number) => sleep(ms),
      say: (line: string) => console.error(`${line} ...`),
    };
    const report = await probe(ports, { write, limits, deliverTo, receiver, connection, tokens });
    console.log(reportText(report));
    return report.left.length > 0 || report.findings.some(({ verdict }) => verdict === 'differs') ? 1 : 0;
  } catch (error) {
    if (!(error instanceof NetworkFault)) throw error;
    throw new Error(`${base} could not be reached (${error.code}). Check the address and that the service is up.`, { cause: error });
  } finally {
    await receiver?.close();
  }
});
