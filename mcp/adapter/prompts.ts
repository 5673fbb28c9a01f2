import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { cancelBooking, createBooking, getEventType, getManyBookings, getManyEventTypes } from '../../shared/operations/index.ts';
import { toolName } from './names.ts';
import { added } from './tools.ts';

interface OwnPrompt {
  definition: Prompt & { arguments: { name: string; description: string; required: boolean }[] };
  /** What a person would ask for, with what they filled in. */
  text(given: Readonly<Record<string, string>>): string;
}

const said = (text: string | undefined): string => JSON.stringify((text ?? '').slice(0, 500));

/** Ready-made requests, as a client shows them to its person. */
export const prompts: readonly OwnPrompt[] = [
  {
    definition: {
      name: 'book_for_a_customer',
      title: 'Book for a customer',
      description: 'Finds the fitting kind of meeting, asks what is missing, and books',
      arguments: [
        { name: 'customer', description: 'Name and e-mail address', required: true },
        { name: 'meeting', description: 'What kind of meeting', required: false },
        { name: 'when', description: 'Day, time and time zone', required: false },
      ],
    },
    text: ({ customer, meeting, when }) =>
      [
        `Book a meeting for ${said(customer)}${meeting === undefined ? '' : `, of the kind ${said(meeting)}`}${when === undefined ? '' : `, at ${said(when)}`}.`,
        `1. Call ${toolName(getManyEventTypes)} and choose the kind that fits; ask me if several do.`,
        `2. Call ${toolName(getEventType)} and ask me for the answers to its required questions that I have not given.`,
        '3. If the time zone is not certain, ask me. Never guess it.',
        `4. Tell me what you will book, then call ${toolName(createBooking)}.`,
        "5. Tell me the start on both clocks, mine and the customer's, and the id.",
      ].join('\n'),
  },
  {
    definition: {
      name: 'find_and_cancel_a_booking',
      title: 'Find a booking and cancel it',
      description: 'Finds the booking of a customer and cancels it once you have agreed',
      arguments: [
        { name: 'customer', description: 'The e-mail address', required: true },
        { name: 'reason', description: 'What the customer is told', required: false },
      ],
    },
    text: ({ customer, reason }) =>
      [
        `Find the booking of ${said(customer)} and cancel it${reason === undefined ? '' : ` for the reason ${said(reason)}`}.`,
        `1. Call ${toolName(getManyBookings)} with the e-mail address. If several could be meant, show me them and ask which one.`,
        '2. Show me the booking with its start on both clocks, and ask whether to cancel it.',
        `3. Only when I have agreed, call ${toolName(cancelBooking)}, with "${added.confirm}": true.`,
      ].join('\n'),
  },
];

export const promptResult = (prompt: OwnPrompt, given: Readonly<Record<string, string>>): GetPromptResult => ({
  messages: [{ role: 'user', content: { type: 'text', text: prompt.text(given) } }],
});
