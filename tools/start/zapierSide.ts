import type { Sandbox } from '../../sandbox/service.ts';
import { zapierZip } from '../build/products.ts';
import { startArchive } from '../rigs/zapier/lambda.ts';
import type { ZapierRuntime } from '../rigs/zapier/runtime.ts';
import type { Zap } from '../rigs/zapier/zap.ts';
import type { Opened } from './opened.ts';
import type { Options } from './options.ts';
import type { Progress } from './progress.ts';

/** Zapier's side as `npm start` sets it up: the app connected, and a Zap on new bookings turned on. */
export interface ZapierSide {
  runtime: ZapierRuntime;
  zap: Zap;
  /** The archive that runs. */
  zip: string;
}

export async function openZapierSide(options: Options, sandbox: Sandbox, progress: Progress, opened: Opened): Promise<ZapierSide> {
  const zip = await progress.step(['building the Zapier app', "the Zapier app is built by Zapier's own tool"], zapierZip);
  const runtime = await progress.step(['starting the Zapier app', 'the Zapier app runs from its archive and is connected'], async () => {
    const { client } = sandbox;
    const environment = { CLIENT_ID: client.id, CLIENT_SECRET: client.secret, BASE_URL: sandbox.baseUrl };
    const started = await opened.start(
      'the Zapier app',
      () => startArchive({ zip, port: options.ports.zapier, environment, timeZone: sandbox.account.timezone }),
      (app) => app.stop(),
    );
    sandbox.allowRedirect(started.redirectUri);
    await started.connect();
    return started;
  });
  const zap = await progress.step(['turning on a Zap', 'a Zap on new bookings is turned on'], () =>
    opened.start(
      'the Zap',
      () => runtime.turnOn('booking_created'),
      (on) => on.turnOff(),
    ),
  );
  return { runtime, zap, zip };
}
