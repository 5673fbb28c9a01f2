import Provider, { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import { refuseFor } from '../askers.ts';
import type { SealedRows } from '../database/sealedRows.ts';
import { shares, type Shares } from '../database/shares.ts';
import type { ToLibrary } from './requests.ts';

/**
 * For how long a refresh token that was used may be used again, as long as none of those that came of it was used before the request came: a
 * client with several calls at once refreshes several times with it, and a laptop that slept asks again for the answer that it did not get.
 * Milliseconds.
 */
const graceMs = 30 * 60_000;

/** For how long a used refresh token is still known, so that whoever shows it again ends the connection. Milliseconds. */
const usedForMs = 24 * 60 * 60_000;

/** How long a client is kept that nobody uses, and one that nobody has ever connected. Milliseconds. */
const [clientForMs, newClientForMs] = [90 * 24 * 60 * 60_000, 24 * 60 * 60_000];

/** How exactly a client's last use is kept. Milliseconds. */
const usedEveryMs = 24 * 60 * 60_000;

/** When the request came that the library answers. Milliseconds since the epoch, by the database's time. */
const cameAt = (now: number): number => (Provider.ctx?.req as ToLibrary | undefined)?.cameAt ?? now;

const isPayload = (value: unknown): value is AdapterPayload => typeof value === 'object' && value !== null;

/** Where the authorization server keeps what it gives out. The id of a token is the token, so it is kept as a hash like all ids. */
export const adapterIn =
  (rows: SealedRows, shared: Shares) =>
  (model: string): Adapter => {
    const shown = async (id: string, kept: Awaited<ReturnType<SealedRows['get']>>): Promise<AdapterPayload | undefined> => {
      if (!isPayload(kept?.value)) return undefined;
      // The library looks at this machine's clock: until then, as much time is left there as at the database.
      const value = { ...kept.value, ...('exp' in kept.value && { exp: Math.ceil((Date.now() + kept.until - rows.now()) / 1000) }) };
      if (kept.consumedAt === undefined) return value;
      const came = cameAt(rows.now());
      const isHonest =
        model === 'RefreshToken'
          ? rows.now() - kept.consumedAt < graceMs && !(await rows.isConsumed(model, id, came))
          : // Of two requests with one code that were under way at once, the later one is refused below, and ends nothing.
            kept.consumedAt >= came;
      return isHonest ? value : { ...value, consumed: true };
    };
    return {
      async upsert(id, payload, expiresIn: number | undefined) {
        // Its id says all that it is, so a client that registers again changes nothing.
        if (model === 'Client' && (await rows.has(model, id))) return;
        // Sessions are also found by another id, and refresh tokens by the one that they replace.
        const other = model === 'RefreshToken' ? Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti : payload.uid;
        const about = { grant: model === 'Grant' ? id : payload.grantId, other };
        if (model === 'RefreshToken' && other !== undefined) refuseFor(await shared.take(shares.refreshes, about.grant ?? ''), 'refreshes');
        else if (model === 'RefreshToken') await rows.touch('Client', payload.clientId ?? '', clientForMs);
        await rows.put(model, id, payload, about, expiresIn === undefined ? newClientForMs : expiresIn * 1000);
      },
      async find(id) {
        const kept = await rows.get(model, id);
        if (model === 'Client' && kept !== undefined && rows.now() - kept.usedAt > usedEveryMs)
          await rows.touch(model, id, clientForMs).catch(() => undefined);
        return shown(id, kept);
      },
      findByUid: async (uid) => shown(uid, (await rows.byOther(model, uid))[0]),
      findByUserCode: async () => undefined,
      async consume(id) {
        const isFirst = await rows.consume(model, id, usedForMs);
        // Of several processes that have read the same code, one redeems it.
        if (!isFirst && model === 'AuthorizationCode') throw new errors.InvalidGrant('authorization code already consumed');
      },
      destroy: (id) => rows.delete(model, id),
      revokeByGrantId: (grant) => rows.deleteOfGrant(grant, { kind: model }),
    };
  };
