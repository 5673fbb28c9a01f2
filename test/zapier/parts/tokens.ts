import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { ZapierError } from '../../../tools/rigs/zapier/errors.ts';
import { STEP_LIMIT_MS } from '../../../tools/rigs/zapier/runtime.ts';
import { calls, record, type Stage } from './stage.ts';

/** The forms that the app sent to the token endpoint. */
export const tokenCalls = (stage: Stage) => calls(stage, 'POST', '/api/oauth/token').map(({ body }) => record(body));
/** What Zapier stores for the connection. */
export const authData = ({ zapier }: Stage) => ({ ...zapier.connection?.authData });

/** Replaces the access token with one that the service does not know, as after its hour. */
export function expire({ zapier }: Stage): void {
  if (zapier.connection !== undefined)
    zapier.connection = { ...zapier.connection, authData: { ...zapier.connection.authData, access_token: 'at_expired' } };
}

/** A refresh token that is used twice ends the whole connection. */
export const unforgiving = { revokeFamilyOnReuse: true };

/** 200 steps at once with an expired token: all are answered, and it was refreshed once. */
export async function twoHundredSteps(stage: Stage): Promise<void> {
  stage.zapier.stepLimitMs = 10 * STEP_LIMIT_MS;
  expire(stage);
  stage.sandbox.forgetRequests();
  const answers = await Promise.all(Array.from({ length: 200 }, () => untilAnswered(() => stage.zapier.invoke('authentication.test'))));
  assert.equal(answers.filter((answer) => record(answer)['email'] === stage.sandbox.account.email).length, 200);
  assert.equal(tokenCalls(stage).length, 1);
}

/** Runs a step again after the delay that it asked for, like Zapier. */
async function untilAnswered(step: () => Promise<unknown>): Promise<unknown> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof ZapierError) || error.kind !== 'ThrottledError') throw error;
    await pause((error.delaySeconds ?? 0) * 1000);
    return untilAnswered(step);
  }
}
