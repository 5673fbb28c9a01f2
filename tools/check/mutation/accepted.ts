import { accepted as mcp } from './accepted/mcp.ts';
import { accepted as n8n } from './accepted/n8n.ts';
import { accepted as sdk } from './accepted/sdk.ts';
import { accepted as shared } from './accepted/shared.ts';
import { accepted as zapier } from './accepted/zapier.ts';

/**
 * Changes that need no test, in a list for each folder. An entry that fits no unnoticed change is refused, so the lists hold no old ones.
 */
export const accepted = [...shared, ...zapier, ...n8n, ...mcp, ...sdk];
