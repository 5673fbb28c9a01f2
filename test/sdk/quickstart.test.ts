import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectionFile, newConnectionId } from '../../sdk/node/connectionFile.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { root } from '../../tools/root.cjs';
import { until } from '../support/until.ts';
import { Installed } from './installed.ts';
import { Stage } from './stage.ts';

let stage: Stage;
let installed: Installed;
let folder: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  stage = await Stage.open();
  installed = await Installed.open();
  folder = await mkdtemp(join(tmpdir(), 'own-'));
  // What `login` has kept, without the way over the consent page.
  const { clientId, clientSecret, baseUrl } = stage.application;
  const { access_token, refresh_token } = stage.sandbox.issueToken();
  const tokens = { access_token, refresh_token };
  await new ConnectionFile(folder, { connect: '', folder: '' }).write({ id: newConnectionId(), baseUrl, clientId, clientSecret, tokens });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
  await installed.close();
  await stage.close();
});

/** Runs a program of the guide as somebody does who copied it. @returns what it has printed so far */
async function start(text: string, file: string, env: Record<string, string> = {}): Promise<() => string> {
  const child = spawn(process.execPath, [await installed.write(file, text)], {
    cwd: installed.folder,
    env: { ...process.env, NODE_OPTIONS: '', SCHEDULING_FOLDER: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (printed += piece.toString()));
  child.once('close', (code) => (printed += `ended with ${code}`));
  return () => printed;
}

test('the two programs of the quick start book and receive, with the tarball alone', async () => {
  const guide = await readFile(join(root, 'docs', 'quickstart-package.md'), 'utf8');
  const [book = '', receive = ''] = [...guide.matchAll(/```js\n([^]*?)```/g)].map(([, text = '']) => text);
  const port = await freePort();
  const receiving = await start(receive, 'receive.mjs', { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}/` });
  await until(() => /receiving at|ended/.test(receiving()));
  const booking = await start(book, 'book.mjs');
  await until(() => booking().includes('ended'));
  expect(booking()).toMatch(/^\S+ CONFIRMED\nended with 0$/);
  const [id = ''] = booking().split(' ');
  await until(() => receiving().includes('booked') || receiving().includes('ended'));
  expect(receiving()).toContain(`booked ${id} Ada Lovelace`);
});
