import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes } from 'node:crypto';

/** A new key, in the form of the setting. */
export const newKey = (): string => `k${Date.now().toString(36)}:${randomBytes(32).toString('base64url')}`;

/**
 * Reads 32-byte keys such as `k2:…,k1:…`. The first one encrypts, all decrypt. An encrypted value names its key.
 *
 * @throws an error for people
 */
export function readKeys(setting: string) {
  const keys = setting
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => {
      const [, id = '', text = ''] = /^(\w{1,20}):([\w-]+)=*$/.exec(part) ?? [];
      return { id, bytes: new Uint8Array(Buffer.from(text, 'base64url')) };
    });
  if (keys.length === 0 || keys.some(({ bytes }) => bytes.length !== 32) || new Set(keys.map(({ id }) => id)).size < keys.length)
    throw new Error(
      'SCHEDULING_MCP_KEYS must be one or more keys with different names, separated by commas, the newest one first. The command "new-key" prints one.',
    );
  return keys;
}

/**
 * Encrypts stored values (JWE, AES-256-GCM), so that the database alone is useless to a thief. It is synchronous, because for values of
 * this size another thread, which libraries use, takes longer than the encryption.
 */
export function makeVault(keys: ReturnType<typeof readKeys>) {
  // Imported once: Node.js takes longer to import a key than to decrypt with it.
  const known = keys.map(({ id, bytes }) => ({ id, key: createSecretKey(bytes), header: sealedBy(id) }));
  const [newest] = known as [(typeof known)[number]];
  return {
    /** Whether values may be encrypted with a key other than the newest. */
    hasOlder: known.length > 1,

    /** The beginning of every value that the newest key has encrypted. */
    begins: `${newest.header}.`,

    /** @param place the row's kind and id. The value can be opened only there, so that nobody can move it to another row */
    seal(place: string, value: unknown): string {
      const { header, key } = newest;
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header));
      const text = Buffer.concat([cipher.update(JSON.stringify({ place, value })), cipher.final()]);
      // Encrypted with the key itself, so the part for an encrypted key is empty (RFC 7516, section 3.1).
      return [header, '', ...[iv, text, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
    },

    /** @throws an error for operators if the key is missing or wrong, or if the value was changed or moved */
    open(place: string, sealed: string): unknown {
      const [header = '', , ...parts] = sealed.split('.');
      const [iv, text, tag] = [0, 1, 2].map((at) => Buffer.from(parts[at] ?? '', 'base64url')) as [Buffer, Buffer, Buffer];
      const by = known.find((each) => each.header === header);
      if (by === undefined)
        throw new Error(`A row is encrypted with the key "${keyNamed(header)}", which is not in SCHEDULING_MCP_KEYS. Add it again.`);
      let opened: { place: unknown; value: unknown };
      try {
        const decipher = createDecipheriv('aes-256-gcm', by.key, iv, { authTagLength: 16 }).setAAD(Buffer.from(header)).setAuthTag(tag);
        opened = JSON.parse(decipher.update(text, undefined, 'utf8') + decipher.final('utf8')) as typeof opened;
      } catch (cause) {
        throw new Error(`The key "${by.id}" in SCHEDULING_MCP_KEYS is not the one with which this database was encrypted.`, { cause });
      }
      if (opened.place !== place) throw new Error('A row of the database is not where it was written.');
      return opened.value;
    },

    /** Secrets for another purpose: one for each key, in the same order. */
    secretsFor: (purpose: string): string[] => known.map(({ key }) => createHmac('sha256', key).update(purpose).digest('base64url')),
  };
}

export type Vault = ReturnType<typeof makeVault>;

const sealedBy = (kid: string): string => Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid })).toString('base64url');

const keyNamed = (header: string): string => /"kid":"(\w+)"/.exec(Buffer.from(header, 'base64url').toString())?.[1] ?? '';

/**
 * Makes names that can be looked up but not guessed. Without the secret, a row does not show its id, and the time of a look-up shows
 * nothing about existing ids.
 */
export function hasherWith(secret: string) {
  const key = createSecretKey(secret, 'utf8');
  return (...parts: readonly string[]): string => createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}

export type Hasher = ReturnType<typeof hasherWith>;
