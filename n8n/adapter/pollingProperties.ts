import type { INodeProperties } from 'n8n-workflow';
import { limits } from '../../shared/limits.ts';
import { simplifyProperty } from './simplification.ts';
import { eventRows, listedRows } from '../../shared/events.ts';
import { eventsProperty, eventTypesProperty } from './triggerProperties.ts';

/** The panel of the polling trigger, made from the core's table of events. n8n adds the poll times before it. */
export const pollingProperties = (): INodeProperties[] => [
  {
    displayName: `Every poll reads the full list (${limits.pageSize} records per request). Very long lists are polled less often.`,
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
