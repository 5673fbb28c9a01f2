import { errorBody, type errorCodes } from '../../shared/assumptions.ts';
import { refusal, type ErrorKind } from '../../shared/client/errors.ts';
import { isObject } from '../../shared/values.ts';
import type { Findings } from './findings.ts';
import { shapeOf, type Reply } from './wire.ts';

/** A refusal that was provoked, and how the core should understand it. */
export interface Expected {
  kind: ErrorKind;
  status: number;
  code: keyof typeof errorCodes.codes;
}

/** Checks the body of a refusal (G17) and how the core understands it (G18). */
export function judgeRefusal(findings: Findings, reply: Reply, expected: Expected): void {
  const { body, status, request } = reply;
  if (status >= 200 && status < 300) {
    findings.note('errorCodes', 'differs', `${request} should have been refused with ${expected.code} but was answered with ${status}`);
    return;
  }
  if (!isObject(body)) {
    findings.note('errorBody', 'also read', `a refusal came with ${shapeOf(body)}`);
  } else {
    const { error, code, message, [errorBody.detailsKey]: details } = body;
    const named = typeof error === 'string' && typeof code === 'string';
    findings.judge('errorBody', named, 'a refusal has `error` and `code`', `a refusal came with ${shapeOf(body)}`);
    if (typeof message === 'string') findings.note('errorBody', 'also read', 'a refusal has a `message`');
    if (expected.kind === 'invalid') {
      const listed =
        Array.isArray(details) &&
        details.every((each) => isObject(each) && typeof each['field'] === 'string' && typeof each['message'] === 'string');
      findings.judge(
        'errorBody',
        listed,
        'a validation error has `details` with `field` and `message`',
        'a validation error names no fields in `details`',
      );
    }
  }
  const { kind, code = 'none' } = refusal(reply, { resourceName: 'booking', scope: 'any' }, Date.now());
  const what = `${request.split('?')[0] ?? request}: ${status} with the code ${code}`;
  if (kind === expected.kind && code === expected.code && status === expected.status) findings.note('errorCodes', 'as assumed', what);
  else if (kind === expected.kind) findings.note('errorCodes', 'also read', `${what}, which is also understood`);
  else if (expected.status < 500 && status < 500)
    findings.note('errorCodes', 'also read', `${what} instead of ${expected.code}: the status decides, so people read it as "${kind}"`);
  else findings.note('errorCodes', 'differs', `${what} instead of ${expected.code}`);
}
