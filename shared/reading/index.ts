/** What other parts use to read every form in which the service may respond, until its document says which one. */
export * from './emailForms.ts';
export * from './errorBody.ts';
export { checkForIds, listExpected, readPage, requestOf, saysEmpty } from './listEnvelope.ts';
export { type Question, questionTypes, readQuestions } from './questions.ts';
export { isAboutRate, retryAfter, windowHeaders } from './rateLimit.ts';
export { createReader, reader, type Reader } from './reader.ts';
export { type FormRow, rows } from './rows.ts';
export { readDelivered, readOne, recordIn, recordless } from './oneRecord.ts';
export { isAboutSlot } from './slotTaken.ts';
export { hasEnded, hasStatus, isLinked, type KnownStatus, mayHaveStatus, saysNoStatus, wasDenied } from './status.ts';
export { isAboutSubscriptionLimit, isAtAddress, isPaused, normalAddress, subscriptionAddresses } from './subscriptionForms.ts';
export { judgeSuccess, refusesRead } from './successBody.ts';
export { isOfClient, isOverGrant, namesIn, saysClient, saysOver } from './tokenRefusal.ts';
export { inexactWords, shapeOf, unreadable } from './unreadable.ts';
