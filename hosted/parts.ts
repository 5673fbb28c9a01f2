import { makeAccounts } from './accounts.ts';
import type { Basis } from './basis.ts';
import { makeConnections } from './connections.ts';
import { makeProvider } from './signIn/provider.ts';
import { makeServiceSignIn } from './signIn/service.ts';

/** What one process of the server consists of. */
export function makeParts(base: Basis) {
  const signIn = makeServiceSignIn(base);
  const connections = makeConnections({ ...base, signIn });
  return { ...base, signIn, connections, provider: makeProvider(base), accounts: makeAccounts({ ...base, connections }) };
}

export type ServerParts = ReturnType<typeof makeParts>;
