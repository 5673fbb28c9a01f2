import * as z from 'zod/v4';
import { isUsableId } from '../client/path.ts';
import { required } from './define.ts';
import { noZone, zoneFault } from '../time/zones.ts';
import { isObject } from '../values.ts';

/** Common schemas, created once for all forms, because every additional schema slows down each start. */
export const optionalText = z.string().optional();
export const optionalBoolean = z.boolean().optional();
/** An id of the service that can be used in a path. */
export const idText = z.string().trim().min(1, required).refine(isUsableId, 'must be an ID alone, not an address');
export const optionalId = idText.optional();
/**
 * Accepts everything that may be an email address, including signs and letters beyond English ones. The service decides whether it is one.
 */
const somebodySomewhere = /^[^\s@"<>(),;]+@[^\s@.<>(),;]+(?:\.[^\s@.<>(),;]+)+$/u;
export const emailAddress = z
  .string()
  .trim()
  .pipe(z.email({ pattern: somebodySomewhere, error: 'is not an email address' }));
export const optionalEmailAddress = emailAddress.optional();
export const optionalZone = z
  .string()
  .refine((name) => zoneFault(name) === undefined, { error: ({ input }) => zoneFault(String(input)) ?? noZone })
  .optional();
/** Values under keys that the service chooses. Zod's own `record` refuses the key `constructor` and silently drops `__proto__`. */
export const optionalKeyed = z.custom<Record<string, unknown>>(isObject, 'must be an object').optional();
