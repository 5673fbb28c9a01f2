import type { Tokens } from '../../shared/oauth/oauth.ts';
import type { Store } from '../stores/store.ts';

/**
 * Where the tokens of one connection are kept, for example in a row of a database. `withLock` must lock out all other processes, because a
 * refresh token that is used twice may end the whole connection.
 */
export type TokenStore = Store<Tokens>;
