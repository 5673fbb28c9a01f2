import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { cancelBooking, createBooking, getEventType, getManyBookings, getManyEventTypes } from '../../shared/operations/index.ts';
import { added, toolName } from './tools.ts';

interface OwnPrompt {
  definition: Prompt & { arguments: { name: string; description: string; required: boolean }[] };
  /** What a person would ask for, with the values that they entered. */
  text(args: Readonly<Record<string, string>>): string;
}

const said = (text: string): string => JSON.stringify(text.slice(0, 500));

/** Ready-made requests, as a client shows them to its person. */
export const prompts: readonly OwnPrompt[] = [
  {
    definition: {
      name: 'book_for_a_customer',
      title: 'Book for a customer',
      description: 'Finds the right kind of meeting, asks for missing details, and books it',
      arguments: [
        { name: 'customer', description: 'Name and email address', required: true },
        { name: 'meeting', description: 'What kind of meeting', required: false },
        { name: 'when', description: 'Day, time and time zone', required: false },
      ],
    },
    text: ({ customer = '', meeting, when }) =>
      [
        `Book a meeting for ${said(customer)}${meeting === undefined ? '' : `, of the kind ${said(meeting)}`}${when === undefined ? '' : `, at ${said(when)}`}.`,
        `1. Call ${toolName(getManyEventTypes)} and choose the kind that fits. Ask me if several fit.`,
        `2. Call ${toolName(getEventType)} and ask me for the answers to its required questions that I have not given.`,
        '3. If the time zone is not certain, ask me. Never guess it.',
        `4. Tell me what you will book, then call ${toolName(createBooking)}.`,
        "5. Tell me the start in both time zones, mine and the customer's, and the id.",
      ].join('\n'),
  },
  {
    definition: {
      name: 'find_and_cancel_a_booking',
      title: 'Find a booking and cancel it',
      description: "Finds a customer's booking and cancels it after you agree",
      arguments: [
        { name: 'customer', description: 'The email address', required: true },
        { name: 'reason', description: 'The reason that the customer gets', required: false },
      ],
    },
    text: ({ customer = '', reason }) =>
      [
        `Find the booking of ${said(customer)} and cancel it${reason === undefined ? '' : ` for the reason ${said(reason)}`}.`,
        `1. Call ${toolName(getManyBookings)} with the email address. If several bookings match, show them to me and ask which one.`,
        '2. Show me the booking with its start in both time zones, and ask whether to cancel it.',
        `3. After I agree, call ${toolName(cancelBooking)}, with "${added.confirm}": true.`,
      ].join('\n'),
  },
];

export const promptResult = (prompt: OwnPrompt, args: Readonly<Record<string, string>>): GetPromptResult => ({
  messages: [{ role: 'user', content: { type: 'text', text: prompt.text(args) } }],
});
