import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mcpProgram as program } from '../../../tools/build/products.ts';
import { loggedIn, openClient } from '../../../tools/rigs/mcp/connected.ts';
import type { Platform } from '../platform.ts';
import { connectionOf, mcp } from './mcp.ts';

/** The same server as published: connected through the consent page, and started by the protocol's own client. Its waits take real time. */
export const mcpProgram: Platform = {
  ...mcp,
  name: 'the built MCP server',
  async install() {
    const path = await program();
    return {
      async connect(sandbox) {
        const folder = await mkdtemp(join(tmpdir(), 'mcp-'));
        await loggedIn(sandbox, path, folder);
        const client = await openClient(path, folder);
        return connectionOf(client, () => client.close().then(() => rm(folder, { recursive: true })));
      },
    };
  },
};
