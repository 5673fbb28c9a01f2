import type { Sandbox } from '../../sandbox/service.ts';
import { zapierZip } from '../bundle/products.ts';
import { ZapierRuntime } from '../zapier/runtime.ts';
import type { Zap } from '../zapier/zap.ts';
import type { Opened } from './opened.ts';
import type { Options } from './options.ts';
import type { Progress } from './progress.ts';

/** Zapier's side as `npm start` leaves it: the app connected, and a Zap on new bookings switched on. */
export interface ZapierSide {
  runtime: ZapierRuntime;
  zap: Zap;
}

export async function openZapierSide(options: Options, sandbox: Sandbox, progress: Progress, opened: Opened): Promise<ZapierSide> {
  const zip = await progress.step("the Zapier app is built by Zapier's own tool", zapierZip);
  const runtime = await progress.step('the Zapier app runs from its archive, connected through the service\'s consent page', async () => {
    const { client } = sandbox;
    const started = await ZapierRuntime.start({ zip, port: options.ports.zapier, environment: { CLIENT_ID: client.id, CLIENT_SECRET: client.secret, BASE_URL: sandbox.baseUrl } });
    opened.add('the Zapier app', () => started.stop());
    sandbox.allowRedirect(started.redirectUri);
    await started.connect();
    return started;
  });
  const zap = await progress.step('a Zap on new bookings is switched on', async () => {
    const on = await runtime.turnOn('booking_created');
    opened.add('the Zap', () => on.turnOff());
    return on;
  });
  return { runtime, zap };
}
