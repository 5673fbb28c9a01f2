import { brand } from '../../shared/brand.ts';

export const packageName = `n8n-nodes-${brand.slug}`;

/** The bundle that desktop clients install: an archive with the manifest and the program of the MCP server. */
export const bundleName = `${brand.slug}-mcp.mcpb`;

/** The sandbox as a package of its own. */
export const sandboxName = `${brand.slug}-sandbox`;
