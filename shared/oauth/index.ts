/** Connecting an account and keeping its tokens fresh. The exports of this folder for other folders. */
export {
  allScopes,
  codeExchange,
  connectionLabel,
  noRefreshToken,
  oauthEndpoints,
  type OAuthEndpoints,
  readTokens,
  refreshExchange,
  tokenFailure,
  type TokenRequest,
  type Tokens,
} from './oauth.ts';
export { harmlessRequest, noTokenAnswer, notRenewed, TokenRefresher } from './tokenRefresher.ts';
