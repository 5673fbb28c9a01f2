import type { Sandbox } from '../../sandbox/service.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { agree } from '../../tools/rigs/mcp/connected.ts';
import type { Reader } from './reader.ts';
import { inTerminal } from './terminal.ts';
import { until } from './until.ts';

/**
 * Signs in with a guide's command: types the id and the secret when asked, and agrees on the page that the browser is sent to.
 *
 * @returns what the command has printed
 */
export async function signIn(
  reader: Reader,
  sandbox: Sandbox,
  line: string,
  cwd: string,
  more: Record<string, string> = {},
): Promise<string> {
  const opened = await reader.withBrowser();
  const redirect = `http://localhost:${await freePort()}`;
  sandbox.allowRedirect(redirect);
  const { said, end } = inTerminal(`${line} --redirect ${redirect}`, {
    cwd,
    env: { ...reader.env, ...more },
    answers: [
      [/Client id[^]*:/, sandbox.client.id],
      [/Client secret[^]*:/, sandbox.client.secret],
    ],
  });
  const address = await until(opened);
  expect(said()).toContain(address);
  await agree(address);
  expect([await end, said()]).toEqual([0, expect.stringContaining('Connected as Morgan Host (morgan@host.example).')]);
  expect(said()).not.toContain(sandbox.client.secret);
  return said();
}
