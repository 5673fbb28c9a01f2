import type { INodeProperties, TriggerPanelDefinition } from 'n8n-workflow';
import { limits } from '../../shared/limits.ts';
import { brand } from '../../shared/brand.ts';
import { eventRows, listedRows, type EventRow } from '../../shared/events.ts';
import { pollingTriggerName } from '../../shared/webhooks/index.ts';
import { byLabel } from './fields.ts';
import { eventTypesMethod } from './names.ts';
import { simplifyProperty } from './simplification.ts';

const oneOfTheLimit = `one of the account's ${limits.subscriptions} webhook subscriptions`;

/** The event type filter of both triggers. */
export const eventTypesField = { displayName: 'Event Type Names or IDs', name: 'eventTypes' } as const;

/** The option for how old a delivery may be. */
export const maximumAge = { displayName: 'Maximum Age (Minutes)', name: 'maximumAge' } as const;

/** The panel of a trigger, built from the core's table of events. A new array each time, because n8n modifies it. */
const propertiesFor = (description: string, rows: readonly EventRow[], option: INodeProperties): INodeProperties[] => [
  {
    displayName: 'Events',
    name: 'events',
    type: 'multiOptions',
    required: true,
    options: rows.map((row) => ({ name: row.label, value: row.name, description: row.description })).sort(byLabel),
    default: [],
    description,
  },
  {
    ...eventTypesField,
    type: 'multiOptions',
    typeOptions: { loadOptionsMethod: eventTypesMethod },
    default: [],
    hint: 'Leave empty for all event types',
    description:
      'Only bookings of these event types start the workflow. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
  },
  simplifyProperty(),
  { displayName: 'Options', name: 'options', type: 'collection', placeholder: 'Add option', default: {}, options: [option] },
];

export const triggerProperties = (): INodeProperties[] =>
  propertiesFor('Which events start the workflow', eventRows, {
    ...maximumAge,
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 0,
    description:
      'Reject deliveries older than this (0 = no limit). Late retries are then lost. This adds no security, because the timestamp is not signed.',
  });

/** n8n adds the poll times before these. */
export const pollingProperties = (): INodeProperties[] =>
  propertiesFor('Which changes start the workflow', listedRows(eventRows), {
    displayName: 'Start With Upcoming Bookings',
    name: 'upcomingAtFirst',
    type: 'boolean',
    default: false,
    description: 'Whether the first poll returns every upcoming confirmed booking, as Booking Created',
  });

const inHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The text that n8n shows beside the panel while the trigger waits. */
export const triggerPanel = (): TriggerPanelDefinition => ({
  header: '',
  executionsHelp: {
    inactive:
      `<b>While building your workflow</b>, click “execute step”, then make an event happen in ${inHtml(brand.name)}. This uses ${oneOfTheLimit} until it stops.<br /><br />` +
      '<b>Once your workflow is ready</b>, publish it. It then has a subscription of its own, and every matching event starts it.<br /><br />' +
      `<b>Nothing arrives?</b> ${inHtml(brand.name)} must be able to reach this n8n at the address under “Webhook URLs”. If it cannot, use the ${inHtml(pollingTriggerName)}.`,
    active:
      `<b>While building your workflow</b>, click “execute step”, then make an event happen in ${inHtml(brand.name)}. The published workflow keeps receiving events on its own subscription.<br /><br />` +
      '<b>Your workflow is published</b>: it starts automatically, and its runs are listed under “Executions”.',
  },
  activationHint: 'This panel catches one test event. Publish the workflow to start it on every event.',
});

/** The text beside the polling trigger's panel before there is an event: n8n's own text would use the node's name for the service. */
export const pollingPanel = (): TriggerPanelDefinition => ({
  header: '',
  executionsHelp: {
    inactive:
      '<b>While building your workflow</b>, click “Fetch Test Event” to get recent records.<br /><br />' +
      `<b>Once your workflow is ready</b>, publish it. n8n then looks for changes in ${inHtml(brand.name)} at the poll times, and each change starts the workflow. The first poll only records the current state, unless “Start With Upcoming Bookings” is on.`,
    active: `<b>Your workflow is published</b>: n8n looks for changes in ${inHtml(brand.name)} at the poll times. The runs are listed under “Executions”.`,
  },
  activationHint: 'This panel fetches recent records. Publish the workflow to start it on every change.',
});
