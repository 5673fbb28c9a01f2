import { setTimeout as sleep } from 'node:timers/promises';
import { CallingAccount, accountState } from '../mcp/adapter/account.ts';
import { transportWith, wireAs } from '../mcp/adapter/transport.ts';
import { brand } from '../shared/brand.ts';
import type { Clock } from '../shared/client/index.ts';
import { memoryStore } from '../shared/writes/index.ts';

export const clockWith = (now: () => number): Clock => ({ now, sleep: (milliseconds) => sleep(milliseconds), random: () => Math.random() });
export const pause = (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { ref: false });

export const wire = wireAs(`${brand.slug}-mcp-server`);

/** The account of a token that was just given out, to read whose it is. */
export function readAccount(baseUrl: string, token: string): CallingAccount {
  const clock = clockWith(() => Date.now());
  const state = accountState(
    clock,
    memoryStore(() => Date.now(), ''),
  );
  return new CallingAccount({ baseUrl, clock, pause, transport: transportWith(() => ({ token: async () => token }), wire), state });
}
