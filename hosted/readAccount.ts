import { CallingAccount, accountState, clockWith } from '../mcp/adapter/account.ts';
import { transportWith, wireAs } from '../mcp/adapter/transport.ts';
import { brand } from '../shared/brand.ts';
import { memoryStore } from '../shared/writes/index.ts';

export const wire = wireAs(`${brand.slug}-mcp-server`);

/** The account of a newly issued token, to find out whose it is. */
export function readAccount(baseUrl: string, token: string): CallingAccount {
  const clock = clockWith();
  const transport = transportWith(() => ({ token: async () => token }), wire);
  return new CallingAccount({ baseUrl, clock, transport, state: accountState(clock, memoryStore(Date.now, '')) });
}
