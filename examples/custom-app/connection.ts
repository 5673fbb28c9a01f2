import { createHash, randomBytes } from 'node:crypto';
import { exchange, sendOver } from '../../shared/api/overFetch.ts';
import { NetworkFault, type ApiRequest, type ApiResponse, type Transport } from '../../shared/api/transport.ts';
import { allScopes, codeExchange, oauthEndpoints, readTokens, refreshExchange, revocation, type TokenRequest } from '../../shared/oauth.ts';
import { brand } from '../../shared/brand.ts';
import { ServiceError } from '../../shared/api/errors.ts';
import { notRenewed, unreachableRenewal } from '../../shared/renewal.ts';
import type { Settings } from './settings.ts';
import { load, save, type State } from './state.ts';

const TIMEOUT_MS = 30_000;

/** One account's connection: OAuth with PKCE, a transport that carries the token, and one refresh at a time. */
export class Connection {
  readonly #settings: Settings;
  readonly #pending = new Map<string, string>();
  #refreshing: Promise<void> | undefined;
  state: State;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.state = load(settings.file);
  }

  get redirectUri(): string {
    return `${this.#settings.publicUrl}/callback`;
  }

  keep(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    save(this.#settings.file, this.state);
  }

  /** Where to send the person who wants to connect. The `state` in it must come back. */
  authorizeUrl(): string {
    const [state, verifier] = [randomBytes(16).toString('base64url'), randomBytes(32).toString('base64url')];
    this.#pending.set(state, verifier);
    const url = new URL(oauthEndpoints(this.#settings.baseUrl).authorizeUrl);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const query = {
      response_type: 'code',
      client_id: this.#settings.clientId,
      redirect_uri: this.redirectUri,
      scope: allScopes,
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }

  /** @throws a sentence when the answer is to no question of ours, or the person said no */
  async finish(answer: URLSearchParams): Promise<void> {
    const state = answer.get('state') ?? '';
    const codeVerifier = this.#pending.get(state);
    this.#pending.delete(state);
    if (codeVerifier === undefined) throw new Error('This answer belongs to no connection that was begun here. Start again at /connect.');
    const code = answer.get('code');
    if (code === null)
      throw new Error(`The account was not connected: ${answer.get('error_description') ?? answer.get('error') ?? 'no reason given'}.`);
    this.keep({ tokens: readTokens(await post(codeExchange(this.#settings, { code, redirectUri: this.redirectUri, codeVerifier }))) });
  }

  /** The core's port over `fetch`. A 401 is answered with one refresh, shared by all requests that wait for it. */
  transport: Transport = async (request) => {
    const used = this.state.tokens?.access_token;
    const response = await send(request, used);
    if (response.status !== 401 || this.state.tokens?.refresh_token === undefined) return response;
    if (this.state.tokens.access_token === used) await (this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined)));
    return send(request, this.state.tokens.access_token);
  };

  async #refresh(): Promise<void> {
    const token = this.state.tokens?.refresh_token ?? '';
    try {
      this.keep({ tokens: readTokens(await post(refreshExchange(this.#settings, token)), token) });
    } catch (error) {
      // A refresh has failures of its own: what was asked for was refused before, so it is never "perhaps carried out".
      throw error instanceof NetworkFault
        ? notRenewed(unreachableRenewal(error.code))
        : error instanceof ServiceError
          ? notRenewed(error)
          : error;
    }
  }

  /**
   * Ends the token pair at the service and forgets it here. What did not end there stays known, so that it can be tried again.
   *
   * @throws ServiceError when the service did not say that the tokens have ended
   */
  async disconnect(): Promise<void> {
    const token = this.state.tokens?.refresh_token ?? this.state.tokens?.access_token;
    if (token !== undefined) {
      const [ended] = await Promise.allSettled([post(revocation(this.#settings, token, 'refresh_token'))]);
      const why = ended.status === 'rejected' ? 'no answer' : ended.value.status < 300 ? undefined : `status ${ended.value.status}`;
      if (why !== undefined) {
        throw new ServiceError('server', {
          message: `Not disconnected: ${brand.name} did not confirm that the tokens are revoked (${why}).`,
          advice: 'Try again in a few minutes, or remove the connection in the service.',
          status: 502,
        });
      }
    }
    this.keep({ tokens: undefined, subscription: undefined, known: undefined });
  }
}

const send = (request: ApiRequest, token: string | undefined): Promise<ApiResponse> =>
  sendOver(fetch, request, token ?? '', AbortSignal.timeout(TIMEOUT_MS));

const post = ({ method, url, headers, form }: TokenRequest): Promise<ApiResponse> =>
  exchange(fetch, url, { method, headers, body: new URLSearchParams(form).toString() }, AbortSignal.timeout(TIMEOUT_MS));
