import { BrokenWire } from '../wire.ts';
import type { FaultKind } from './struck.ts';

/** Longer than any client waits for a connection. */
const CONNECT_MS = 60_000;

/** Faults below HTTP. */
export const connectionFaults = {
  refuse: {
    says: 'nobody listens',
    isCertain: true,
    strike: async () => {
      throw new BrokenWire('ECONNREFUSED');
    },
  },
  dns: {
    says: 'the name of the host is not known',
    isCertain: true,
    strike: async ({ chance }) => {
      throw new BrokenWire(chance.pick(['ENOTFOUND', 'EAI_AGAIN']));
    },
  },
  'connect-timeout': {
    says: 'no connection comes about',
    strike: async ({ time }) => {
      await time.sleep(CONNECT_MS);
      throw new BrokenWire('ETIMEDOUT');
    },
  },
  'reset-before': {
    says: 'the connection is reset and nothing is done',
    strike: async () => {
      throw new BrokenWire('ECONNRESET');
    },
  },
  'drop-after': {
    says: 'it is carried out, and the connection is closed before a header',
    strike: async ({ serve }) => {
      await serve();
      throw new BrokenWire('ECONNRESET');
    },
  },
  'late-commit': {
    says: 'the connection is closed, and it is carried out up to 59 seconds later',
    strike: async ({ serve, time, chance, latestMs }) => {
      void time.sleep(chance.next() * latestMs).then(serve);
      throw new BrokenWire('ECONNRESET');
    },
  },
  stall: {
    says: 'no answer ever comes and nothing is done',
    strike: ({ stall }) => stall(),
  },
  'stall-after': {
    says: 'it is carried out, and no answer ever comes',
    strike: async ({ serve, stall }) => {
      await serve();
      return stall();
    },
  },
  'reset-mid-body': {
    says: 'the connection is reset in the middle of the answer',
    strike: async ({ serve, chance }) => {
      await serve();
      throw new BrokenWire(chance.pick(['ECONNRESET', 'ECONNABORTED', 'UND_ERR_SOCKET']));
    },
  },
  'stall-mid-body': {
    says: 'the answer stops in its middle',
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
