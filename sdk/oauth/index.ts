export { createOAuth, type Application, type Begun, type OAuth } from './oauth.ts';
export { type Connection } from './connection.ts';
export { memoryStore } from '../stores/store.ts';
export type { TokenStore } from '../stores/store.ts';
export { allScopes, scopes, type Scope, type Tokens } from '../../shared/oauth/oauth.ts';
