import { createHmac } from 'node:crypto';
import { brand } from '../../shared/brand.ts';
import { EVENTS } from '../../sandbox/records.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { caller, startReceiver, textAt, type Receiver } from './support.ts';

/** A subscriber to everything. It checks what it is sent against section 6 of the public document. */
export interface Listener extends Receiver {
  secret: string;
  /** The events that came so far, each with a valid signature over its exact bytes, in the order of their names. */
  heard(): Promise<string[]>;
}

export async function listenToAll(sandbox: Sandbox): Promise<Listener> {
  const receiver = await startReceiver();
  const { body } = await caller(sandbox)('POST', '/hooks', { url: receiver.url, events: EVENTS });
  const secret = textAt(body, 'signing_secret');
  return {
    ...receiver,
    secret,
    async heard() {
      await sandbox.settled();
      return receiver.received
        .map(({ headers, body: sent }) => {
          const signature = `sha256=${createHmac('sha256', secret).update(sent).digest('hex')}`;
          if (headers[`${brand.headerPrefix.toLowerCase()}-signature`] !== signature)
            throw new Error(`This came with another signature: ${sent}`);
          return String(headers[`${brand.headerPrefix.toLowerCase()}-event`]);
        })
        .sort();
    },
  };
}
