import { NodeApiError, NodeOperationError, WebhookPathTakenError, type INode } from 'n8n-workflow';
import { ServiceError, type ErrorKind } from '../../shared/api/errors.ts';

interface Place {
  itemIndex?: number;
  /** Said after the advice, such as how many other items were done. */
  note?: string | undefined;
}

/**
 * The error that n8n shows: what happened as the title, what to do next below it. Errors of n8n itself, such as "needs to
 * be reconnected", keep their words and are told which item they belong to.
 */
export function nodeError(node: INode, error: unknown, { itemIndex, note }: Place = {}): NodeApiError | NodeOperationError {
  const at = itemIndex === undefined ? {} : { itemIndex };
  if (error instanceof ServiceError) {
    const description = [error.advice, note].filter(Boolean).join(' ');
    const shown =
      error.status === undefined
        ? new NodeOperationError(node, error.message, { description, ...at })
        : new NodeApiError(node, {}, { message: error.message, description, httpCode: String(error.status), ...at });
    // n8n replaces a title in which it finds the name of a system error by general words, ours as well.
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

/** Trying again a few seconds later ends the same way: somebody has to change something first. */
const lasting: readonly ErrorKind[] = ['scope', 'plan', 'forbidden', 'subscriptionLimit', 'invalid'];

/**
 * A trigger that cannot be set up before somebody changes something. n8n tries five times in fifteen seconds whatever a trigger throws,
 * and takes this one class of its own as final. It shows the message alone, so the message holds the advice as well.
 */
class LastingRefusal extends WebhookPathTakenError {
  constructor(node: INode, { sentence }: ServiceError) {
    super(node.name);
    this.name = 'WorkflowActivationError';
    this.message = sentence;
    this.node = node;
  }
}

/** The error that n8n shows where a trigger is published or listens for a test: at once if trying again cannot help. */
export function activationError(node: INode, error: unknown): Error {
  return error instanceof ServiceError && lasting.includes(error.kind) ? new LastingRefusal(node, error) : nodeError(node, error);
}

/** The whole of an error in one breath, for an output item of a run that goes on. */
export function wordsOf(error: NodeApiError | NodeOperationError): string {
  return [error.message, error.description].filter((part) => typeof part === 'string' && part !== '').join(' ');
}
