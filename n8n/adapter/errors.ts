import { NodeApiError, NodeOperationError, WebhookPathTakenError, type INode } from 'n8n-workflow';
import { ServiceError, type ErrorKind } from '../../shared/client/index.ts';
import { errorWords } from '../../shared/values.ts';

/**
 * The error that n8n shows: what happened as the title, what to do next below it. n8n's own errors, such as "needs to be reconnected", keep
 * their wording.
 */
export function nodeError(node: INode, error: unknown): NodeApiError | NodeOperationError {
  if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
  // Our own errors may quote an object as text, because that object is the wrong value.
  const message = error instanceof ServiceError ? error.message : errorWords(error);
  const shown =
    error instanceof ServiceError ? ofService(node, error) : new NodeOperationError(node, error instanceof Error ? error : message);
  // If n8n finds the name of a system error in a title, even inside a word, it replaces the title with a general sentence.
  shown.message = message;
  return shown;
}

const ofService = (node: INode, { message, advice: description, status }: ServiceError): NodeApiError | NodeOperationError =>
  status === undefined
    ? new NodeOperationError(node, message, { description })
    : new NodeApiError(node, {}, { message, description, httpCode: String(status) });

/**
 * The error that n8n shows for one item of a run, with its number.
 *
 * @param note added after the advice, such as how many other items were done; may be empty
 */
export function itemError(node: INode, cause: unknown, itemIndex: number, note: string): NodeApiError | NodeOperationError {
  const error = nodeError(node, cause);
  Object.assign(error.context, { itemIndex });
  error.description = [error.description, note].filter(Boolean).join(' ');
  return error;
}

/**
 * Errors that a retry a few seconds later cannot fix: someone must change something first, or the service asks for a longer wait than the
 * client has already spent.
 */
const lasting: readonly ErrorKind[] = ['scope', 'plan', 'forbidden', 'subscriptionLimit', 'invalid', 'rateLimited'];

/**
 * A trigger cannot be set up now. After most errors, n8n tries five times within fifteen seconds, until its own time limit. It treats only
 * this class as final. n8n shows only the message, so the message includes the advice.
 */
class LastingRefusal extends WebhookPathTakenError {
  constructor(node: INode, message: string) {
    super(node.name);
    this.name = 'WorkflowActivationError';
    this.message = message;
    this.node = node;
  }
}

/**
 * The error that n8n shows when a trigger is published or listens for a test event. It is final if trying again cannot help.
 *
 * @param isBegunByPerson whether a person waits, who can connect the credential or fix what n8n reports; when n8n itself starts, it retries
 */
export function activationError(node: INode, error: unknown, isBegunByPerson: boolean): Error {
  const isLasting = error instanceof ServiceError && lasting.includes(error.kind);
  const isOfHost = !(error instanceof ServiceError) || error.kind === 'unauthenticated';
  const shown = nodeError(node, error);
  return isLasting || (isBegunByPerson && isOfHost) ? new LastingRefusal(node, wordsOf(shown)) : shown;
}

/** The whole text of an error, for an output item of a run that continues. */
export function wordsOf(error: NodeApiError | NodeOperationError): string {
  return error.description ? `${error.message.replace(/[^.!?]$/, '$&.')} ${error.description}` : error.message;
}
