import type { Tokens } from '../../shared/oauth.ts';
import type { Store } from '../stores/store.ts';

/**
 * Where the tokens of one connection are kept. A row of a database fits: `alone` is then a lock that all processes see, because a
 * refresh token that is used twice may end the whole connection.
 */
export type TokenStore = Store<Tokens>;
