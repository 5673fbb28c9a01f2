import * as z from 'zod/v4';
import { isUsableId } from './api/path.ts';
import { required } from './define.ts';
import { isObject } from './values.ts';

/** What most fields take, made once for all forms: each schema more would slow every start. */
export const optionalText = z.string().optional();
/** An id of the service, which may become a part of an address. */
export const idText = z.string().trim().min(1, required).refine(isUsableId, 'cannot be an ID');
export const optionalId = idText.optional();
/** Whatever may be an address, also with signs and letters beyond English ones: whether it is one, the service decides. */
const somebodySomewhere = /^[^\s@"]+@[^\s@.]+(?:\.[^\s@.]+)+$/u;
export const emailAddress = z
  .string()
  .trim()
  .pipe(z.email({ pattern: somebodySomewhere, error: 'is not an email address' }));
export const optionalEmailAddress = emailAddress.optional();
/** Values under keys that the service chooses: zod's own record refuses one named `constructor`, and drops `__proto__` in silence. */
export const optionalKeyed = z.custom<Record<string, unknown>>(isObject, 'must be an object').optional();
