/** `npm run probe`: holds a real service against every assumption and says which form matched. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { brand } from '../../shared/brand.ts';
import { ServiceError } from '../../shared/api/errors.ts';
import { NetworkFault } from '../../shared/api/transport.ts';
import { fetchTransport } from '../rigs/fetchTransport.ts';
import { orRefuse } from '../process/orRefuse.ts';
import { connect } from '../probe/connect.ts';
import { probe } from '../probe/probe.ts';
import { startReceiver } from '../probe/receiver.ts';
import { reportText } from '../probe/report.ts';

const HELP = `npm run probe -- --base <address> <how to get in> [options]: which of the assumptions hold at a real service

  --base <address>           ${brand.baseUrl}
  --connect <address> --client-id <id> --client-secret <secret>
                             opens a connection through the consent page, looks at its tokens too, and ends it.
                             The address is one on this machine, such as http://localhost:9000, that is
                             registered with the service as a redirect address (the sandbox knows this one)
  --token <access token>     or with a token that you have: of an account with the Pro plan, with all permissions
  --write                    also books, cancels, subscribes and unsubscribes; removes all of it again.
                             Use an account of your own: its host gets the mails
  --deliver-to <address>     with --write: a public address that leads to --port on this machine.
                             Left out, a service on this machine is reached directly, and no other is looked at
  --port <number>            where deliveries arrive; any free one
  --limits                   also uses up the subscription requests of one minute
  --refresh-token <token>    with --token, --client-id and --client-secret: also looks at tokens; uses them up

Reads alone without --write. Ends with 1 when something differs. Prints no token, no secret and no value of a record.`;

const { values } = orRefuse(() =>
  parseArgs({
    options: {
      base: { type: 'string', default: brand.baseUrl },
      connect: { type: 'string' },
      token: { type: 'string' },
      write: { type: 'boolean', default: false },
      'deliver-to': { type: 'string' },
      port: { type: 'string', default: '0' },
      limits: { type: 'boolean', default: false },
      'client-id': { type: 'string' },
      'client-secret': { type: 'string' },
      'refresh-token': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }),
);

const { base, 'client-id': clientId, 'client-secret': clientSecret } = values;
const client = clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : undefined;

if (values.help || (values.token === undefined && (values.connect === undefined || client === undefined))) {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 2;
} else {
  await run();
}

async function run(): Promise<void> {
  const receiver = values.write ? await startReceiver(Number(values.port)) : undefined;
  const isHere = URL.canParse(base) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(base).hostname);
  const deliverTo = values['deliver-to'] ?? (isHere && receiver !== undefined ? `http://127.0.0.1:${receiver.port}/` : undefined);
  try {
    const tokens =
      values.connect !== undefined && client !== undefined
        ? await connect({ baseUrl: base, ...client, redirectUri: values.connect }, (page) =>
            console.error(`Open this address and agree:\n\n  ${page}\n`),
          )
        : undefined;
    const token = tokens?.access_token ?? values.token ?? '';
    const refreshToken = tokens?.refresh_token ?? values['refresh-token'];
    const connection = client !== undefined && refreshToken !== undefined ? { ...client, refreshToken } : undefined;
    const ports = {
      baseUrl: base,
      token,
      transportFor: fetchTransport,
      now: Date.now,
      sleep: (ms: number) => sleep(ms),
      say: (line: string) => console.error(`${line} ...`),
    };
    const report = await probe(ports, { write: values.write, limits: values.limits, deliverTo, receiver, connection, tokens });
    console.log(reportText(report));
    process.exitCode = report.left.length > 0 || report.findings.some(({ verdict }) => verdict === 'differs') ? 1 : 0;
  } catch (error) {
    if (error instanceof ServiceError) console.error(error.sentence);
    else if (error instanceof NetworkFault)
      console.error(`${base} could not be reached (${error.code}). Check the address and that the service is up.`);
    else console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  } finally {
    await receiver?.close();
  }
}
