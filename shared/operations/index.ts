/** Every operation of the API as a declaration, and the one way to run it. The exports of this folder for other folders. */
export { abilitiesOf, isCreate, movesBooking, showsFreeTimes, wordList } from './abilities.ts';
export { alreadyField, doneBefore } from './alreadyDone.ts';
export * from './all.ts';
export { operations, searches } from './displayOrder.ts';
export { existingBooking } from './booking/existing.ts';
export { findOrCreateBooking } from './booking/findOrCreate.ts';
export {
  type Choice,
  type Control,
  type Form,
  type LookupName,
  type ManyOperation,
  type OneOperation,
  type Operation,
  type OperationInput,
  operationLabel,
} from './define.ts';
export { type FormField, formFields, formSchema, type ObjectSchema, zoneHelp } from './form.ts';
export { type Cursor, readListPage, readSortedPage } from './listPage.ts';
export { lookups } from './lookups.ts';
export { filledIn } from './parseInput.ts';
export { answersByKey, askingFields, questionsForForm, questionWords } from './questions.ts';
export { sampleAnswer } from './sampleAnswer.ts';
export { emptyFilter, refusedFilters, refusedForm } from './refusedForm.ts';
export { runOperation, type OperationOptions } from './runOperation.ts';
export { checkEventTypes, chosenEvents, chosenEventTypes, filterFields } from './eventTypeFilter.ts';
