import Provider, { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import { refuseFor } from '../askers.ts';
import type { SealedRows } from '../database/sealedRows.ts';
import { shares, type Shares } from '../database/shares.ts';
import type { ToLibrary } from './requests.ts';

/**
 * How long a used refresh token may be used again, unless a token that replaced it was used before the request arrived. A client with
 * several parallel calls refreshes several times with it, and a laptop that slept repeats the request whose response it missed.
 * Milliseconds.
 */
const graceMs = 30 * 60_000;

/** How long a used refresh token stays known: if it is used again, the connection ends. Milliseconds. */
const usedForMs = 24 * 60 * 60_000;

/** How long an unused client is kept, and one that was never connected. Milliseconds. */
const [clientForMs, newClientForMs] = [90 * 24 * 60 * 60_000, 24 * 60 * 60_000];

/** The precision with which a client's last use is recorded. Milliseconds. */
const usedEveryMs = 24 * 60 * 60_000;

/** When the library's current request arrived. Milliseconds since the epoch, by the database's time. */
const cameAt = (now: number): number => (Provider.ctx?.req as ToLibrary | undefined)?.cameAt ?? now;

const isPayload = (value: unknown): value is AdapterPayload => typeof value === 'object' && value !== null;

/** The authorization server's storage. A token's id is the token itself; like all ids, it is stored as a hash. */
export const adapterIn =
  (rows: SealedRows, shared: Shares) =>
  (model: string): Adapter => {
    const shown = async (id: string, kept: Awaited<ReturnType<SealedRows['get']>>): Promise<AdapterPayload | undefined> => {
      if (!isPayload(kept?.value)) return undefined;
      // The library uses this machine's clock, so the expiry is converted to it.
      const value = { ...kept.value, ...('exp' in kept.value && { exp: Math.ceil((Date.now() + kept.until - rows.now()) / 1000) }) };
      if (kept.consumedAt === undefined) return value;
      const came = cameAt(rows.now());
      const isHonest =
        model === 'RefreshToken'
          ? rows.now() - kept.consumedAt < graceMs && !(await rows.isConsumed(model, id, came))
          : // Of two parallel requests with one code, the later one is refused below, but ends nothing.
            kept.consumedAt >= came;
      return isHonest ? value : { ...value, consumed: true };
    };
    return {
      async upsert(id, payload, expiresIn: number | undefined) {
        // The id follows from the content, so registering again changes nothing.
        if (model === 'Client' && (await rows.has(model, id))) return;
        // Sessions are also found by their `uid`, and refresh tokens by the one that they replace.
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
        // If several processes have read the same code, only one redeems it.
        if (!isFirst && model === 'AuthorizationCode') throw new errors.InvalidGrant('authorization code already consumed');
      },
      destroy: (id) => rows.delete(model, id),
      revokeByGrantId: (grant) => rows.deleteOfGrant(grant, { kind: model }),
    };
  };
