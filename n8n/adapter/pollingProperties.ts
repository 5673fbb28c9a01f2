import type { INodeProperties } from 'n8n-workflow';
import { limits } from '../../shared/limits.ts';
import { pollShare } from '../../shared/polling/index.ts';
import { simplifyProperty } from './simplification.ts';
import { eventRows, listedRows } from '../../shared/events.ts';
import { eventsProperty, eventTypesProperty } from './triggerProperties.ts';

const share = limits.requestsPerMinute * pollShare;

/** The panel of the polling trigger, made from the core's table of events. n8n adds the poll times before it. */
export const pollingProperties = (): INodeProperties[] => [
  {
    displayName: `Each poll reads the whole list, ${limits.pageSize} records a call. Polls that would use more than ${share} of the account's ${limits.requestsPerMinute.toLocaleString('en')} calls a minute are skipped: 10,000 bookings are read at most once a minute.`,
    name: 'costNotice',
    type: 'notice',
    default: '',
  },
  eventsProperty('Which changes start the workflow. The first poll only records the current state.', listedRows(eventRows)),
  eventTypesProperty(),
  simplifyProperty(),
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [
      {
        displayName: 'Start With Upcoming Bookings',
        name: 'upcomingAtFirst',
        type: 'boolean',
        default: false,
        description: 'Whether the first poll gives every upcoming confirmed booking as Booking Created',
      },
    ],
  },
];
