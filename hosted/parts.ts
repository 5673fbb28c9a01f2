import { makeAccounts } from './accounts.ts';
import type { Basis } from './basis.ts';
import { makeConnections } from './connections.ts';
import { makeProvider } from './signIn/provider.ts';
import { makeServiceSignIn } from './signIn/service.ts';

/** The parts of one server process. */
export function makeParts(base: Basis) {
  const signIn = makeServiceSignIn(base);
  const connections = makeConnections({ ...base, signIn });
  return { ...base, signIn, connections, provider: makeProvider(base), accounts: makeAccounts({ ...base, connections }) };
}

export type ServerParts = ReturnType<typeof makeParts>;
