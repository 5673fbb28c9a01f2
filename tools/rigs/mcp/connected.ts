import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as z from 'zod/v4';
import type { Sandbox } from '../../../sandbox/service.ts';
import { freePort } from '../../process/freePort.ts';
import { Program } from '../../process/program.ts';
import { Browser } from '../zapier/browser.ts';

/** Starts the program as a client does. @param folder of its connection */
export async function openClient(program: string, folder: string): Promise<Client> {
  const client = new Client({ name: 'a client', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program], env: { SCHEDULING_MCP_FOLDER: folder } }));
  return client;
}

/** Logs the program in. @throws the program's own message if it did not connect */
export async function loggedIn(sandbox: Sandbox, program: string, folder: string): Promise<void> {
  const redirect = `http://localhost:${await freePort()}`;
  sandbox.allowRedirect(redirect);
  const env = {
    ...process.env,
    SCHEDULING_MCP_FOLDER: folder,
    SCHEDULING_CLIENT_ID: sandbox.client.id,
    SCHEDULING_CLIENT_SECRET: sandbox.client.secret,
    SCHEDULING_BASE_URL: sandbox.baseUrl,
  };
  const login = new Program(process.execPath, [program, 'login', '--no-browser', '--redirect', redirect], { env });
  const address = () => z.string().parse(/http\S+oauth\/authorize\S+(?=\n)/.exec(login.printed)?.[0]);
  if (await login.answers(async () => address())) await agree(address());
  else await login.stop();
  if ((await login.ended) !== 0) throw new Error(login.printed);
}

/** Acts as a person at a browser: opens the consent page, answers it, and is sent back to the program that asked. */
export async function agree(address: string, button = /approve/i): Promise<void> {
  const browser = new Browser();
  await browser.press(await browser.open(address), button);
}
