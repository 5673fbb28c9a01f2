import { socketFaults, throughSockets } from './suites/sockets.ts';
import { operationNames } from './operations.ts';

it('knows the faults that happen in the socket', () => {
  expect(socketFaults).toEqual(
    expect.arrayContaining([
      'drop-before',
      'drop-after',
      'reset-before',
      'reset-mid-body',
      'truncate',
      'stall',
      'stall-mid-body',
      'endless',
      'gzip-bomb',
      'late-commit',
    ]),
  );
});

// An endless answer transfers a gigabyte, so the full number of runs only happens by command.
it.each(operationNames)(
  '%s holds over real sockets as it does without them',
  async (operation) => {
    const { found, runs } = await throughSockets(
      2,
      1,
      [operation],
      socketFaults.filter((kind) => kind !== 'endless' && kind !== 'gzip-bomb'),
    );
    expect(found).toEqual([]);
    expect(runs).toBe(2 * (socketFaults.length - 2));
  },
  60_000,
);
