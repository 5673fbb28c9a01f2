import type { NodeHint } from 'n8n-workflow';
import type { Operation } from '../../shared/define.ts';

const withSecret = (operations: readonly Operation[]) =>
  operations.flatMap(({ resource, name, secret }) => (secret === undefined ? [] : [{ resource, name, secret }]));

/** Output fields that n8n hides wherever it shows or stores executions. */
export const secretPathsOf = (operations: readonly Operation[]): string[] => [
  ...new Set(withSecret(operations).map(({ secret }) => secret)),
];

/** Says at the output that a secret is shown this once. */
export const secretHintsOf = (operations: readonly Operation[]): NodeHint[] =>
  withSecret(operations).map(({ resource, name, secret }) => ({
    message: `Save ${secret} now. It is shown only once.`,
    type: 'warning',
    location: 'outputPane',
    whenToDisplay: 'afterExecution',
    displayCondition: `={{ $parameter["resource"] === "${resource}" && $parameter["operation"] === "${name}" }}`,
  }));
