import { BrokenWire } from '../wire.ts';
import type { FaultKind } from './struck.ts';

/** Longer than any client waits for a connection. */
const CONNECT_MS = 60_000;

/** Shortly before the latest moment at which a request whose answer was lost may still be carried out (G29). */
const LATEST_COMMIT_MS = 29_000;

/** Faults below HTTP. */
export const connectionFaults = {
  refuse: {
    says: 'nobody listens',
    strike: async () => {
      throw new BrokenWire('ECONNREFUSED');
    },
  },
  dns: {
    says: 'the name of the host is not known',
    strike: async ({ chance }) => {
      throw new BrokenWire(chance.pick(['ENOTFOUND', 'EAI_AGAIN']));
    },
  },
  'connect-timeout': {
    says: 'no connection comes about',
    isAmbiguous: true,
    strike: async ({ time }) => {
      await time.sleep(CONNECT_MS);
      throw new BrokenWire('ETIMEDOUT');
    },
  },
  'reset-before': {
    says: 'the connection is reset and nothing is done',
    isAmbiguous: true,
    strike: async () => {
      throw new BrokenWire('ECONNRESET');
    },
  },
  'drop-after': {
    says: 'it is carried out, and the connection is closed before a header',
    isAmbiguous: true,
    strike: async ({ serve }) => {
      await serve();
      throw new BrokenWire('ECONNRESET');
    },
  },
  'late-commit': {
    says: 'the connection is closed, and it is carried out up to 29 seconds later',
    isAmbiguous: true,
    strike: async ({ serve, time, chance }) => {
      void time.sleep(chance.next() * LATEST_COMMIT_MS).then(serve);
      throw new BrokenWire('ECONNRESET');
    },
  },
  stall: {
    says: 'no answer ever comes and nothing is done',
    isAmbiguous: true,
    strike: ({ stall }) => stall(),
  },
  'stall-after': {
    says: 'it is carried out, and no answer ever comes',
    isAmbiguous: true,
    strike: async ({ serve, stall }) => {
      await serve();
      return stall();
    },
  },
  'reset-mid-body': {
    says: 'the connection is reset in the middle of the answer',
    isAmbiguous: true,
    strike: async ({ serve, chance }) => {
      await serve();
      throw new BrokenWire(chance.pick(['ECONNRESET', 'ECONNABORTED', 'UND_ERR_SOCKET']));
    },
  },
  'stall-mid-body': {
    says: 'the answer stops in its middle',
    isAmbiguous: true,
    strike: async ({ serve, stall }) => {
      await serve();
      return stall();
    },
  },
  'slow-drip': {
    says: 'the answer comes in pieces, over several seconds',
    strike: async ({ serve, time, chance }) => {
      const answer = await serve();
      await time.sleep(1000 + chance.below(8000));
      return answer;
    },
  },
  truncate: {
    says: 'less comes than the length that was announced',
    isAmbiguous: true,
    strike: async ({ serve, chance }) => {
      await serve();
      throw new BrokenWire(chance.pick(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'UND_ERR_SOCKET']));
    },
  },
  'extra-bytes': {
    says: 'more comes than the length that was announced',
    strike: ({ serve }) => serve(),
  },
} satisfies Record<string, FaultKind>;
