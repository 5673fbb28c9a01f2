/** A response that something between the program and the service sends in its place. */
export interface InBetween {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export const page: Omit<InBetween, 'status'> = {
  body: '<!doctype html><html><head><title>Sign in to Corp WiFi</title></head><body>Welcome</body></html>',
  headers: { 'content-type': 'text/html; charset=utf-8' },
};
const text = { 'content-type': 'text/plain' };
const json = { 'content-type': 'application/json' };

/** Responses that say nothing about the account. */
export const inBetween: readonly InBetween[] = [
  ...[200, 401, 403, 404, 407, 429, 500, 502, 511].map((status) => ({ status, ...page })),
  ...[401, 403, 404, 429].map((status) => ({ status, body: 'Access to this site is restricted. Ask the help desk.', headers: text })),
  { status: 403, body: '' },
  { status: 403, body: { message: 'Forbidden' } },
  { status: 403, body: {} },
  { status: 403, body: [] },
  { status: 403, body: null },
  { status: 403, body: 'null', headers: json },
  { status: 404, body: '"Go away"', headers: json },
  { status: 401, body: { message: 'No API key found in request' } },
  { status: 404, body: { message: 'no Route matched with those values' } },
  { status: 200, body: 'Please log in', headers: text },
  { status: 200, body: { authenticated: false, login: 'https://sso.corp.example' } },
  { status: 200, body: '{"data":[{"id":"bkg_1","sta', headers: json },
  { status: 401, body: '{"error":"Unau', headers: json },
  { status: 502, body: '{"error":"Unau', headers: json },
  { status: 302, body: '', headers: { location: 'https://sign-in.corp.example/' } },
  { status: 302, ...page, headers: { ...page.headers, location: 'https://sign-in.corp.example/' } },
];

/** Those after which the service may have done what was requested: pages of filters, and responses that refuse nothing. */
export const hiding = inBetween.filter(({ status, headers }) =>
  headers === page.headers ? ![401, 407, 429].includes(status) : status < 400 || status >= 500,
);

/** Responses that are only a status, which may come from the service or from something in between. */
export const bare: readonly InBetween[] = [
  ...['', '{}', '[]', 'null'].flatMap((body) => [401, 404].map((status) => ({ status, body, headers: json }))),
  { status: 401, body: { message: 'Unauthorized' } },
  { status: 404, body: { message: 'Not Found' } },
];

/** Messages that tell people to change something about the account, or that something does not exist. */
export const aboutTheAccount =
  /permission|\bplan\b|reconnect|connect again|was not found|no bookings|nothing found|expired|revoked|account's rate limit|check the client|id and secret|not accept/i;

/** The same in place of tokens. */
export const tokenAnswers: readonly InBetween[] = inBetween.filter(({ status, body }) => status !== 200 || typeof body === 'string');
