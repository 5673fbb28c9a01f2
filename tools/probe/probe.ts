import { checkBaseUrl, type Tokens } from '../../shared/oauth/oauth.ts';
import { type Connection, addresses, consented, tokens } from './tokens.ts';
import { Findings, type Finding } from './findings.ts';
import { rateLimit } from './subscriptions.ts';
import { read } from './reading.ts';
import type { Receiver } from './deliveries.ts';
import { wireOf, type Ports } from './wire.ts';
import { write } from './writing.ts';

export interface Choices {
  /** Also book, cancel, subscribe and unsubscribe; cleans up after itself. */
  write: boolean;
  /** Where the service can reach `receiver`. Deliveries are only checked if both are given. */
  deliverTo?: string | undefined;
  receiver?: Receiver | undefined;
  /** Also use up the subscription requests of one minute. */
  limits: boolean;
  /** Also use up this connection's tokens. */
  connection?: Connection | undefined;
  /** The token's own connection, if the probe has connected by itself. */
  tokens?: Tokens | undefined;
}

export interface Report {
  findings: Finding[];
  /** What the probe made and could not remove. */
  left: string[];
}

/** An address that the service accepts, and that nothing ever reaches. */
const nowhere = 'https://probe.example.invalid/hooks';

/**
 * Checks a real service against every assumption. It only reads, unless more is chosen.
 *
 * @throws a readable error if the base URL cannot be used or the service does not answer as it would for a connected account
 */
export async function probe(given: Ports, choices: Choices): Promise<Report> {
  const ports = { ...given, baseUrl: checkBaseUrl(given.baseUrl) };
  const findings = new Findings();
  const probing = { ...ports, findings, wire: wireOf(ports) };
  ports.say('reading');
  const seen = await read(probing);
  await addresses(probing);
  let left: string[] = [];
  if (choices.write) {
    ports.say('booking, cancelling, subscribing. The bookings stay as cancelled ones; everything else is removed at the end');
    left = await write(probing, seen, {
      url: choices.deliverTo ?? nowhere,
      receiver: choices.deliverTo === undefined ? undefined : choices.receiver,
    });
  }
  if (choices.limits) {
    ports.say('using up the subscription requests of this minute');
    await rateLimit(probing);
  }
  if (choices.tokens !== undefined) consented(findings, choices.tokens);
  if (choices.connection !== undefined) {
    ports.say("using up the connection's tokens");
    await tokens(probing, choices.connection);
  }
  return { findings: findings.all(), left };
}
