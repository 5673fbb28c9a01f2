/** Hand-written requests to the server for many users, for requests that an `Assistant` would never send because they are wrong. */

/** The PKCE pair of RFC 7636, appendix B. */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const code_challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const answered = async (answer: Response) => ({ status: answer.status, body: (await answer.json()) as Record<string, unknown> });

/** A registration with any content. */
export const registration = (said: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(said),
});

export const register = async (origin: string, said: object) => answered(await fetch(`${origin}/reg`, registration(said)));

/** @returns the client's id */
export const registered = async (origin: string, said: object): Promise<string> => String((await register(origin, said)).body['client_id']);

/** The path to which a client sends a person to sign in. */
export const authorizePath = (client_id: string, redirect_uri: string, more: Record<string, string> = {}): string => {
  const query = { response_type: 'code', client_id, redirect_uri, state: 's', code_challenge, code_challenge_method: 'S256', ...more };
  return `/auth?${new URLSearchParams(query).toString()}`;
};

/** Sends a form to the token endpoint. */
export const tokenFrom = async (origin: string, form: Record<string, string>) =>
  answered(await fetch(`${origin}/token`, { method: 'POST', body: new URLSearchParams(form) }));

/** The form that redeems a code. @param landed the address to which the person came back */
export const codeForm = (client_id: string, redirect_uri: string, landed: string) => ({
  ...{ grant_type: 'authorization_code', client_id, redirect_uri, code_verifier: verifier },
  code: new URL(landed).searchParams.get('code') ?? '',
});

export const refreshForm = (client_id: string, refreshToken: unknown) => ({
  ...{ grant_type: 'refresh_token', client_id, refresh_token: String(refreshToken) },
});

/** Sends a message of the protocol; by default, a request for the list of tools. */
export const call = (
  origin: string,
  token: unknown,
  message: object = { method: 'tools/list' },
  accept = 'application/json, text/event-stream',
) =>
  fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${String(token)}`, 'content-type': 'application/json', accept },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
