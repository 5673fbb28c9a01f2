/** A fault for the next requests of a route, as data. */
export interface Fault {
  /** `POST /v1/bookings`, `GET /v1/bookings/:id`, `POST /api/oauth/token`, or `*` for every request. */
  route: string;
  kind: FaultKind;
  /** How many requests it affects; 1 by default. */
  times?: number | 'always' | undefined;
  /** How many requests of the route pass before the first fault. */
  after?: number | undefined;
  /** The status of the response, if the kind has one. */
  status?: number | undefined;
  /** How long the kinds that wait do so, in milliseconds of the sandbox's clock; for `slow`, between pieces. */
  delayMs?: number | undefined;
  headers?: Record<string, string> | undefined;
  /** Text is sent unchanged, anything else as JSON. */
  body?: unknown;
  /** Whether the request is handled anyway. The default depends on the kind, see FAULTS. */
  commits?: boolean | undefined;
}

/** Every kind, its effect, and whether the request is handled by default. */
export const FAULTS = {
  status: { says: 'answers `status` (500) with `headers` and `body` instead', commits: false },
  delay: { says: 'waits `delayMs`, then handles the request', commits: true },
  'delay-after': { says: 'handles the request, then waits `delayMs` before it answers', commits: true },
  'drop-before': { says: 'closes the connection and does nothing', commits: false },
  'drop-after': { says: 'handles the request, then closes the connection', commits: true },
  'reset-before': { says: 'resets the connection and does nothing', commits: false },
  'late-commit': { says: 'closes the connection, and handles the request `delayMs` (20 s) later', commits: true },
  stall: { says: 'never answers', commits: false },
  'not-json': { says: 'answers with text that is declared as JSON', commits: true },
  html: { says: "answers with a proxy's HTML page, `status` 502", commits: false },
  empty: { says: 'answers without a body', commits: true },
  'wrong-type': { says: 'answers correctly, but declares text/plain', commits: true },
  'invalid-utf8': { says: 'answers with a body that is not UTF-8', commits: true },
  truncate: { says: 'sends half of the announced body, then closes the connection', commits: true },
  'extra-bytes': { says: 'sends more than the announced length', commits: true },
  'reset-mid-body': { says: 'resets the connection in the middle of the body', commits: true },
  'stall-mid-body': { says: 'stops sending in the middle of the body', commits: true },
  slow: { says: 'sends the body in 8 pieces, `delayMs` (200) apart', commits: true },
  endless: { says: 'sends a body that does not end (1 GB)', commits: true },
  'gzip-bomb': { says: 'sends 64 MB of blanks in 64 kB of gzip', commits: true },
  redirect: { says: 'redirects with 307 to the `location` in `headers`, or to another origin', commits: false },
} as const satisfies Record<string, { says: string; commits: boolean }>;

export type FaultKind = keyof typeof FAULTS;
