/** Every form in which the service may answer, as long as its document does not say: what other parts use of it. */
export { readDelivered, recordless } from './deliveryBody.ts';
export * from './emailForms.ts';
export * from './errorBody.ts';
export { checkForIds, listExpected, readPage, requestOf, saysEmpty } from './listEnvelope.ts';
export { isPaused } from './pausing.ts';
export { type Question, questionTypes, readQuestions } from './questions.ts';
export { isAboutRate, retryAfter, windowHeaders } from './rateLimit.ts';
export { createReader, reader, type Reader } from './reader.ts';
export { type Row, rows } from './rows.ts';
export { readOne, recordIn } from './oneRecord.ts';
export { isLinked } from './rescheduleLinks.ts';
export { isAboutSlot, type RefusalWords } from './slotTaken.ts';
export { hasEnded, hasStatus, type KnownStatus, mayHaveStatus, saysNoStatus, wasDenied } from './status.ts';
export { isAtAddress, normalAddress, subscriptionAddresses } from './subscriptionAddress.ts';
export { isAboutSubscriptionLimit } from './subscriptionLimit.ts';
export { judgeSuccess, refusesRead } from './successBody.ts';
export { isOfClient, isOverGrant, namesIn, saysClient, saysOver } from './tokenRefusal.ts';
export { inexactWords, shapeOf, unreadable } from './unreadable.ts';
