import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/v4';

const State = z.object({
  tokens: z.object({ access_token: z.string(), refresh_token: z.string().optional() }).optional(),
  subscription: z.object({ id: z.string(), signing_secret: z.string() }).optional(),
  /** What the last poll knew of the account's lists, as the core keeps it. */
  known: z.unknown().optional(),
});

/** What must outlive the process: without the refresh token people reconnect, without the signing secret no delivery can be verified. */
export type State = z.infer<typeof State>;

export function load(file: string): State {
  return existsSync(file) ? State.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

/** Written whole or not at all, and readable by its owner alone. */
export function save(file: string, state: State): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // One that was left half written keeps the rights that it was made with.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
