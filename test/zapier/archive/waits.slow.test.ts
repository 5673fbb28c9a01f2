import { setTimeout } from 'node:timers/promises';
import { ZapierError } from '../../../tools/rigs/zapier/zap.ts';
import { STEP_LIMIT_MS } from '../../../tools/rigs/zapier/runtime.ts';
import { book, calls, closeStage, introCall, LONGEST_MS, openStage, startBuilt } from '../stage.ts';

jest.setTimeout(LONGEST_MS);

/** Runs a step again after the delay that it asked for, like Zapier. */
async function untilAnswered(step: () => Promise<unknown>): Promise<unknown> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof ZapierError) || error.kind !== 'ThrottledError') throw error;
    await setTimeout((error.delaySeconds ?? 0) * 1000);
    return untilAnswered(step);
  }
}

// Zapier's own limit ends a step after 30 seconds.
test('an answer that stops in the middle is given up early enough to look for the booking within 30 seconds', async () => {
  const stage = await openStage(startBuilt);
  try {
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'stall-mid-body' });
    const { id } = await book(stage, introCall(stage, { invitee_email: 'stalled@example.com' }));
    const booked = stage.sandbox.bookings().filter(({ invitee_email: email }) => email === 'stalled@example.com');
    expect(booked.map((each) => each.id)).toEqual([id]);
  } finally {
    await closeStage(stage);
  }
});

test('of 200 parallel steps that find the token expired, one refreshes it, and the others are held and run again', async () => {
  // A refresh token that is used twice ends the whole connection.
  const stage = await openStage(startBuilt, { revokeFamilyOnReuse: true });
  const { sandbox, zapier } = stage;
  try {
    // They share one process, so each needs longer than at Zapier.
    zapier.stepLimitMs = 10 * STEP_LIMIT_MS;
    zapier.authData = { ...zapier.authData, access_token: 'at_expired' };
    sandbox.forgetRequests();
    const answers = await Promise.all(Array.from({ length: 200 }, () => untilAnswered(() => zapier.invoke('authentication.test'))));
    expect(answers).toEqual(Array(200).fill(expect.objectContaining({ email: sandbox.account.email })));
    expect(calls(stage, 'POST', '/api/oauth/token')).toHaveLength(1);
  } finally {
    await closeStage(stage);
  }
});
