import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { ServiceError } from '../../shared/api/errors.ts';

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

/** The whole of an error in one breath, for an output item of a run that goes on. */
export function wordsOf(error: NodeApiError | NodeOperationError): string {
  return [error.message, error.description].filter((part) => typeof part === 'string' && part !== '').join(' ');
}
