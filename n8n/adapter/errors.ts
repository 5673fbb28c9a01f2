import { NodeApiError, NodeOperationError, WebhookPathTakenError, type INode } from 'n8n-workflow';
import { ServiceError, type ErrorKind } from '../../shared/api/errors.ts';

interface Place {
  itemIndex?: number;
  /** Added after the advice, such as how many other items were done. */
  note?: string | undefined;
}

/**
 * The error that n8n shows: what happened as the title, what to do next below it. Errors of n8n itself, such as "needs to be reconnected",
 * keep their words and get the number of their item.
 */
export function nodeError(node: INode, error: unknown, { itemIndex, note }: Place = {}): NodeApiError | NodeOperationError {
  const at = itemIndex === undefined ? {} : { itemIndex };
  if (error instanceof ServiceError) {
    const description = [error.advice, note].filter(Boolean).join(' ');
    const shown =
      error.status === undefined
        ? new NodeOperationError(node, error.message, { description, ...at })
        : new NodeApiError(node, {}, { message: error.message, description, httpCode: String(error.status), ...at });
    // If n8n finds the name of a system error in a title, it replaces the title by general words, even ours.
    shown.message = error.message;
    return shown;
  }
  if (error instanceof NodeApiError || error instanceof NodeOperationError) {
    Object.assign(error.context, at);
    if (note !== undefined) error.description = [error.description, note].filter(Boolean).join(' ');
    return error;
  }
  const cause = error instanceof Error ? error : new Error(String(error));
  return new NodeOperationError(node, cause, { ...at, ...(note !== undefined && { description: note }) });
}

/** Errors that trying again a few seconds later cannot fix: someone must change something first. */
const lasting: readonly ErrorKind[] = ['scope', 'plan', 'forbidden', 'subscriptionLimit', 'invalid'];

/**
 * A trigger that cannot be set up until someone changes something. n8n tries five times in fifteen seconds after any other error, and
 * treats only this one class of its own as final. It shows only the message, so the message includes the advice.
 */
class LastingRefusal extends WebhookPathTakenError {
  constructor(node: INode, { sentence }: ServiceError) {
    super(node.name);
    this.name = 'WorkflowActivationError';
    this.message = sentence;
    this.node = node;
  }
}

/** The error that n8n shows when a trigger is published or listens for a test event: at once if trying again cannot help. */
export function activationError(node: INode, error: unknown): Error {
  return error instanceof ServiceError && lasting.includes(error.kind) ? new LastingRefusal(node, error) : nodeError(node, error);
}

/** The whole text of an error, for an output item of a run that continues. */
export function wordsOf(error: NodeApiError | NodeOperationError): string {
  return [error.message, error.description].filter((part) => typeof part === 'string' && part !== '').join(' ');
}
