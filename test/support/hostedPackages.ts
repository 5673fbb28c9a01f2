import { installHosted } from '../../tools/rigs/mcp/hosted.ts';

/** Before any test of the server for many users, whose sources some of them import. */
export default async function install(): Promise<void> {
  await installHosted();
}
