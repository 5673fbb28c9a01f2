import * as z from 'zod/v4';
import type { Sandbox } from '../../../sandbox/service.ts';
import { Browser, textOf } from '../zapier/browser.ts';
import { Assistant } from './hosted.ts';

/** What a tool's answer has for programs. */
const Result = z.looseObject({ isError: z.boolean().optional(), content: z.array(z.looseObject({ text: z.string().optional() })) });
const Listed = z.looseObject({
  structuredContent: z.looseObject({ records: z.array(z.looseObject({ id: z.string(), name: z.unknown() })) }),
});
const Made = z.looseObject({ structuredContent: z.looseObject({ id: z.string() }) });

/** Calls a tool. @throws an error with its sentence if it reports one */
export async function callTool(client: Awaited<ReturnType<Assistant['open']>>, name: string, args: Record<string, unknown> = {}) {
  const answer = await client.callTool({ name, arguments: args });
  const { isError, content } = Result.parse(answer);
  if (isError === true) throw new Error(content.map(({ text = '' }) => text).join('\n'));
  return answer;
}

export const idsOf = (answer: unknown): string[] => Listed.parse(answer).structuredContent.records.map(({ id }) => id);
/** An event type of the sandbox that asks nothing. */
export const introCall = (answer: unknown): string =>
  Listed.parse(answer).structuredContent.records.find(({ name }) => name === 'Intro Call')?.id ?? '';
export const idOf = (answer: unknown): string => Made.parse(answer).structuredContent.id;

/**
 * The job of the server for many users: two users connect their assistants, each books once and sees only their own, and one is disconnected.
 *
 * @param step shows what is being done
 * @throws an error that says what does not hold
 */
export async function twoUsers(
  origin: string,
  sandbox: Sandbox,
  step: <T>(name: string, work: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const users = ['Ada', 'Grace'].map((name) => ({
    name,
    account: sandbox.addAccount({ name }),
    assistant: new Assistant(origin, `${name}'s assistant`),
  }));
  const connected = await step('two users connect their assistants', () =>
    Promise.all(users.map(async (user) => ({ ...user, client: await user.assistant.signIn(user.account.id) }))),
  );
  const made = await step('each books once', () =>
    Promise.all(
      connected.map(async ({ name, client }) => {
        const eventType = introCall(await callTool(client, 'list_event_types'));
        return idOf(
          await callTool(client, 'create_booking', {
            event_type_id: eventType,
            start_time: '2031-03-04T09:00:00Z',
            invitee_name: `Invited by ${name}`,
            invitee_email: `guest-of-${name.toLowerCase()}@example.com`,
          }),
        );
      }),
    ),
  );
  await step('each sees only their own', async () => {
    for (const [at, { name, client }] of connected.entries()) {
      const seen = idsOf(await callTool(client, 'list_bookings'));
      if (seen.join() !== made[at]) throw new Error(`${name} sees ${seen.join(', ')} and not only ${String(made[at])}.`);
    }
  });
  await step('one is disconnected', async () => {
    const [ada, grace] = connected;
    if (ada === undefined || grace === undefined) return;
    const browser = new Browser();
    const consent = await browser.press(await browser.open(`${origin}/connections`), /^sign in/i);
    const page = await browser.press(consent, /^allow/i, { fields: { account: ada.account.id } });
    const after = textOf((await browser.press(page, /^disconnect/i)).html);
    if (!after.includes('is disconnected.')) throw new Error(`The page says: ${after.slice(0, 300)}`);
    const isRefused = await callTool(ada.client, 'list_bookings').then(
      () => false,
      () => true,
    );
    if (!isRefused) throw new Error('The disconnected assistant can still call tools.');
    if (idsOf(await callTool(grace.client, 'list_bookings')).length !== 1) throw new Error('The other one is disconnected as well.');
  });
}
