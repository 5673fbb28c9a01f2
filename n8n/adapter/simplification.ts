import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../shared/operations/index.ts';
import { isWide } from '../../shared/records/index.ts';

/** Whether an operation's panel has the switch: for operations that read wide records. */
export const offersSimplify = ({ effect, output }: Operation): boolean => effect === 'read' && isWide(output);

export const simplifyProperty = (): INodeProperties => ({
  displayName: 'Simplify',
  name: 'simplify',
  type: 'boolean',
  default: true,
  description: 'Whether to return a simplified version of the response instead of the raw data',
});
