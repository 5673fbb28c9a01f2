/** One of several processes that connect, use and disconnect the same place. Run by `oauthProcesses.test.ts`. */
import { ConnectionFile, newConnectionId, storeIn } from '../../sdk/node/connectionFile.ts';
import { connectionIn } from '../../sdk/node/connectionIn.ts';
import { createClient, isServiceError } from '../../sdk/index.ts';
import { fileStore } from '../../sdk/node/index.ts';
import { createOAuth, type Connection, type Tokens, type TokenStore } from '../../sdk/oauth/index.ts';

/** What a process is told to do. */
export interface Orders {
  kind: 'a store' | 'the file of login';
  folder: string;
  application: { clientId: string; clientSecret: string; redirectUri: string; baseUrl: string };
  /** Tokens to connect with, one after another. */
  tokens: { access_token: string; refresh_token: string }[];
}

/** What it saw. */
export interface Seen {
  /** Who a connection's own token belongs to, read while nobody else could change it; `undefined` if the service refuses the token. */
  owners: { connection: string; token: string; email: string | undefined }[];
  errors: string[];
}

process.on('message', (orders: Orders) => void follow(orders).then((seen) => process.send?.(seen)));
process.send?.('ready');

async function follow({ kind, folder, application, tokens }: Orders): Promise<Seen> {
  const file = new ConnectionFile(folder, { connect: 'login', folder: 'FOLDER' });
  const [store, connection, connect] = kind === 'a store' ? overStore() : overFile();
  const client = createClient({ auth: connection, baseUrl: application.baseUrl });
  const seen: Seen = { owners: [], errors: [] };
  // Whoever comes too late, or whose account another process has replaced, is told so.
  const attempt = (work: Promise<unknown>) =>
    work.catch((error: unknown) => void (isServiceError(error) && error.kind === 'unauthenticated' ? 0 : seen.errors.push(String(error))));
  for (const [index, each] of tokens.entries()) {
    await attempt(connect(each));
    await attempt(Promise.all([client.users.current(), look(), client.users.current()]));
    if (index % 2 === 1) await attempt(connection.disconnect());
    await attempt(look());
  }
  return seen;

  function overStore(): [TokenStore, Connection, Connection['connect']] {
    const over = fileStore(`${folder}/tokens.json`);
    const made = createOAuth(application).connection(over);
    return [over, made, (given) => made.connect(given)];
  }

  function overFile(): [TokenStore, Connection, Connection['connect']] {
    const { redirectUri: _, ...own } = application;
    // As `login` does it.
    const write = ({ access_token, refresh_token = '' }: Tokens) =>
      file.withLock(() => file.write({ ...own, id: newConnectionId(), tokens: { access_token, refresh_token } }));
    return [storeIn(file), connectionIn(file), write];
  }

  async function look(): Promise<void> {
    await store.withLock(async () => {
      const kept = await store.read();
      if (kept === undefined) return;
      const answer = await fetch(`${application.baseUrl}/me`, { headers: { authorization: `Bearer ${kept.access_token}` } });
      const { data } = (await answer.json()) as { data?: { email: string } };
      seen.owners.push({ connection: String(kept.connection), token: kept.access_token, email: data?.email });
    });
  }
}
