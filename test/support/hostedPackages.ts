import { installHosted } from '../../tools/rigs/mcp/hosted.ts';

/** Runs before the tests of the server for many users, because some of them import its sources. */
export default async function install(): Promise<void> {
  await installHosted();
}
