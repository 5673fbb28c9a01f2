import { metrics } from '@opentelemetry/api';
import { ServiceError } from '../shared/client/index.ts';

/**
 * Writes one line of JSON.
 *
 * @param details extra fields: nothing that was sent or received, no tokens, no names. Of an error, only its name is written or, for a
 *   ServiceError, its kind, because the message could contain anything
 */
export type Log = (level: 'info' | 'warn' | 'error', message: string, details?: { error?: unknown; [name: string]: unknown }) => void;

/** Only the kind of a value, because the value could contain anything. */
const nameOf = (value: unknown): string => (value instanceof Error ? value.name : typeof value);

const errorIn = (error: unknown): object =>
  error instanceof ServiceError
    ? { error: error.kind, status: error.status, code: error.code }
    : { error: nameOf(error), code: (error as { code?: unknown } | undefined)?.code };

/** @param write takes each line */
export const logTo =
  (write: (line: string) => void): Log =>
  (level, message, { error, ...details } = {}) =>
    write(JSON.stringify({ time: new Date().toISOString(), level, message, ...details, ...(error !== undefined && errorIn(error)) }));

/** Logs everything else that this process prints: what libraries write, warnings of Node.js, and the error that ends it. */
export function logEverything(log: Log): void {
  for (const name of ['debug', 'log', 'info', 'trace', 'warn', 'error'] as const)
    console[name] = (...said: unknown[]) =>
      log(name === 'warn' || name === 'error' ? name : 'info', 'a library says', {
        said: said.map((each) => (typeof each === 'string' ? each : nameOf(each)).slice(0, 300)),
      });
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => log('warn', 'Node.js warns', { said: `${name}: ${message}`.slice(0, 300) }));
  process.on('uncaughtException', (error) => {
    log('error', 'ended by an error', { error, at: error.stack?.match(/(?<=^\s+)at .*/gm) });
    process.exit(1);
  });
}

/**
 * Metrics through OpenTelemetry's API. They reach an SDK that is loaded before this program (`node --import`), and cost nothing without
 * one.
 */
const meter = metrics.getMeter('mcp-server');
export const measure = {
  signIns: meter.createCounter('mcp.sign_ins', { description: 'Sign-ins, by outcome.' }),
  calls: meter.createHistogram('mcp.tool_call.duration', { unit: 'ms', description: 'Calls of tools, by tool and outcome.' }),
  refused: meter.createCounter('mcp.requests.refused', { description: 'Requests that were refused before any work, by reason.' }),
};
