import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceRecord } from '../../../shared/records/fields.ts';
import { ZapierError } from '../../../tools/rigs/zapier/zap.ts';
import type { ZapierRuntime } from '../../../tools/rigs/zapier/runtime.ts';
import { Mapped, runStep } from '../../support/zapierForm.ts';
import { actionKey } from '../../../zapier/adapter/names.ts';
import app from '../../../zapier/app.ts';
import type { Sandbox } from '../../../sandbox/service.ts';
import { mapped } from '../../../shared/records/outputs.ts';
import type { Operation } from '../../../shared/operations/define.ts';
import { formFields } from '../../../shared/operations/form.ts';
import { startSources } from '../../zapier/inProcess.ts';
import { startOn, type Start } from '../../zapier/stage.ts';
import { inWords, Refused, type Asked, type Connection, type Platform } from '../platform.ts';

/** How often Zapier repeats a step that asks to be held. After that, it shows the reason. */
const holds = 3;
/** The longest hold that a test waits for, in seconds. After a longer one, the step would say the same. */
const longestHold = 90;

/**
 * A form as a Zap's step stores it: each answer in its own field, named after the field for all answers. An empty value is mapped to an
 * earlier step that gave nothing.
 */
function stepOf(operation: Operation, { fields, answers = {} }: Asked): Record<string, unknown> {
  const key = formFields(operation.input).find(({ control }) => control === 'answers')?.key;
  const mapped = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, value === '' ? new Mapped('') : value]));
  return { ...mapped, ...Object.fromEntries(Object.entries(answers).map(([question, answer]) => [`${key}_${question}`, answer])) };
}

const worded = inWords((error) => (error instanceof ZapierError ? error.message : undefined));

/**
 * Runs a step until it ends. Holds it if it asks for that, like Zapier.
 * @throws Refused
 */
async function held(step: () => Promise<unknown>, left = holds): Promise<unknown> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof ZapierError)) throw error;
    if (error.delaySeconds === undefined || error.delaySeconds > longestHold || left === 0) throw new Refused(error.message);
    await sleep(error.delaySeconds * 1000);
    return held(step, left - 1);
  }
}

const connectionOf = (zapier: ZapierRuntime): Connection => ({
  async runOperation(operation, asked) {
    const raw = stepOf(operation, asked);
    const key = actionKey(operation);
    if (operation.yields === 'one') return [(await held(() => runStep(zapier, `creates.${key}`, raw))) as ServiceRecord];
    const all: ServiceRecord[] = [];
    for (let token: string | undefined; ; ) {
      const page = (await held(() => runStep(zapier, `searches.${key}`, raw, token))) as {
        results: ServiceRecord[];
        paging_token: string | null;
      };
      all.push(...page.results);
      if (page.paging_token === null) return all;
      token = page.paging_token;
    }
  },

  async listen([row, ...others]) {
    if (row === undefined || others.length > 0) throw new Error('A trigger is one event.');
    const zap = await worded(zapier.turnOn(row.key));
    return {
      url: zap.targetUrl,
      secret: () => Promise.resolve(String(zap.subscribeData['signing_secret'])),
      items: () => Promise.resolve(zap.outcomes.flatMap(({ items }) => items)),
      loseSecret: async () => void delete zap.subscribeData['signing_secret'],
      stop: () => zap.turnOff(),
    };
  },

  close: () => zapier.stop(),
});

export const connectedBy =
  (start: Start) =>
  async (sandbox: Sandbox, zone?: string): Promise<Connection> =>
    connectionOf(await startOn(sandbox, start, zone));

/** The app from its sources, in this process. `zapier.ts` checks the archive that is built from them. */
export const zapierSources: Platform = {
  name: "Zapier's adapter",
  lacks: {
    everyService: 'the core reads what services differ in, and the package meets each of them',
    simplified: 'a person maps the fields that they want',
    zoneless: 'every Zap has a zone',
    formZone: "Zapier itself reads a start in the Zap's zone before the app sees it",
    refusedToken: 'Zapier itself renews a token, and asks to reconnect in words of its own',
    emptyField: 'Zapier itself does not run a step that lacks a required field',
    manyEvents: 'a trigger is one event',
    leavesEmptyOut: 'what is empty was mapped to something, so the step stops',
    polls: 'every event has an instant trigger',
    keepsTokens: 'Zapier itself keeps the tokens',
    pollsAtOnce: 'every event has an instant trigger',
    answers: 'Zapier itself answers each delivery before the app sees it',
    maximumAge: 'a delivery carries no signed time, and Zapier delivers late',
  },
  shown: ({ output }, record) => mapped(output, record),
  offers: (operation) => Object.hasOwn({ ...app.creates, ...app.searches }, actionKey(operation)),
  install: () => Promise.resolve({ connect: connectedBy(startSources) }),
};
