/**
 * Hints for n8n's own AI workflow builder, which reads them in addition to the panels. It treats a field that has a default as optional,
 * and reads only the first of several operations with the same name, so both are spelled out here.
 */
import type { IBuilderHint } from 'n8n-workflow';
import { brand } from '../../shared/brand.ts';
import { formFields, operationLabel, type Operation } from '../../shared/operations/index.ts';
import { pollingTriggerName } from '../../shared/webhooks/index.ts';
import { answersMode, answersJson } from './answers.ts';
import { imperative, inN8n, parameterName, sentenceCase } from './names.ts';
import { wishesFor } from './summary.ts';

/** What each operation is for, and what a workflow must fill in for it. */
const contentFor = (operation: Operation): string => {
  const fields = formFields(operation.input);
  const required = fields.filter((field) => field.required).map(({ key }) => parameterName(key));
  const answers = fields.find(({ control }) => control === 'answers');
  return [
    `${sentenceCase(operationLabel(inN8n(operation)))}: ${imperative(operation.description)}.`,
    ...(required.length > 0 ? [`Required: ${required.join(', ')}.`] : []),
    ...(answers === undefined
      ? []
      : [
          `To answer the event type's questions from an expression, set ${answersMode(answers)} to "json" and ${answersJson(answers)} to an object keyed by question.`,
        ]),
    ...(operation.effect === 'destructive' ? ['This cannot be undone. Add an approval step before it.'] : []),
  ].join(' ');
};

/** @param operations all operations of the action node */
export const actionHintOf = (operations: readonly Operation[]): IBuilderHint => ({
  searchHint: `Use it to ${wishesFor(operations)} bookings in ${brand.name}. To start a workflow when a booking is made or changed, use the ${brand.name} Trigger.`,
  extraTypeDefContent: operations.map((operation) => ({
    content: contentFor(operation),
    displayOptions: { show: { resource: [operation.resource], operation: [operation.name] } },
  })),
});

export const triggerHint = (): IBuilderHint => ({
  searchHint: `Starts at once when something happens in ${brand.name}. n8n must be reachable from the internet; otherwise use the ${pollingTriggerName}.`,
});

export const pollingHint = (): IBuilderHint => ({
  searchHint: `Looks for changes in ${brand.name} at set times. Use it only where ${brand.name} cannot reach n8n, or to catch up on events that were missed; otherwise use the ${brand.name} Trigger.`,
});
