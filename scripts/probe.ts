/** `npm run probe -- --base ... --token ...`: holds a real service against every assumption and says which form matched. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { brand } from '../shared/brand.ts';
import { ServiceError } from '../shared/api/errors.ts';
import { NetworkFault } from '../shared/api/transport.ts';
import { fetchTransport } from './fetchTransport.ts';
import { orRefuse } from './orRefuse.ts';
import { probe } from './probe/probe.ts';
import { startReceiver } from './probe/receiver.ts';
import { reportText } from './probe/report.ts';

const HELP = `npm run probe -- --base <address> --token <access token> [options]: which of the assumptions hold at a real service

  --base <address>           ${brand.baseUrl}
  --token <access token>     of an account with the Pro plan, with all permissions
  --write                    also books, cancels, subscribes and unsubscribes; removes all of it again.
                             Use an account of your own: its host gets the mails
  --deliver-to <address>     with --write: a public address that leads to --port on this machine.
                             Left out, a service on this machine is reached directly, and no other is looked at
  --port <number>            where deliveries arrive; any free one
  --limits                   also uses up the subscription requests of one minute
  --client-id, --client-secret, --refresh-token
                             also looks at tokens; uses this connection up

Reads alone without options. Ends with 1 when something differs. Prints no token, no secret and no value of a record.`;

const { values } = orRefuse(() => parseArgs({
  options: {
    base: { type: 'string', default: brand.baseUrl },
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
}));

if (values.help || values.token === undefined) {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 2;
} else {
  await run(values.token);
}

async function run(token: string): Promise<void> {
  const { base, 'client-id': clientId, 'client-secret': clientSecret, 'refresh-token': refreshToken } = values;
  const receiver = values.write ? await startReceiver(Number(values.port)) : undefined;
  const isHere = URL.canParse(base) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(base).hostname);
  const deliverTo = values['deliver-to'] ?? (isHere && receiver !== undefined ? `http://127.0.0.1:${receiver.port}/` : undefined);
  const connection = clientId !== undefined && clientSecret !== undefined && refreshToken !== undefined ? { clientId, clientSecret, refreshToken } : undefined;
  try {
    const ports = { baseUrl: base, token, transportFor: fetchTransport, now: Date.now, sleep: (ms: number) => sleep(ms), say: (line: string) => console.error(`${line} ...`) };
    const report = await probe(ports, { write: values.write, limits: values.limits, deliverTo, receiver, connection });
    console.log(reportText(report));
    process.exitCode = report.left.length > 0 || report.findings.some(({ verdict }) => verdict === 'differs') ? 1 : 0;
  } catch (error) {
    if (error instanceof ServiceError) console.error(error.sentence);
    else if (error instanceof NetworkFault) console.error(`${base} could not be reached (${error.code}). Check the address and that the service is up.`);
    else console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  } finally {
    await receiver?.close();
  }
}
