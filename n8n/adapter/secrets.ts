import type { NodeExecutionHint } from 'n8n-workflow';
import type { Operation } from '../../shared/operations/index.ts';

const withSecret = (operations: readonly Operation[]) =>
  operations.flatMap(({ resource, name, secret }) => (secret === undefined ? [] : [{ resource, name, secret }]));

/** Output fields that n8n hides wherever it shows or stores executions. */
export const secretPathsOf = (operations: readonly Operation[]): string[] => [
  ...new Set(withSecret(operations).map(({ secret }) => secret)),
];

/** A hint at the output of a run that returned a secret, which is shown only once. */
export const secretHint = (secret: string): NodeExecutionHint => ({
  message: `Save ${secret} now. It is shown only once.`,
  type: 'warning',
  location: 'outputPane',
});
