import type { Client } from './api/methods.ts';

/** An operation for `createClientOf`, such as `createBooking`. Its type says which method of `Client` it becomes. */
export interface ClientOperation<Place extends string = string> {
  readonly resource: string;
  readonly name: string;
  /** Exists only for the compiler. */
  readonly place?: Place;
}

/** A client with these methods of `Client`, such as `'bookings.create' | 'bookings.list'`, and no others. */
export type ClientOf<Place extends string> = {
  readonly [Group in keyof Client as [Extract<Place, `${Group}.${string}`>] extends [never] ? never : Group]: {
    readonly [Method in keyof Client[Group] as `${Group}.${Method & string}` extends Place ? Method : never]: Client[Group][Method];
  };
};

/** Any client of the package: that of `createClient`, or one with chosen operations, even with none. */
export type AnyClient = { readonly [Group in keyof Client]?: Partial<Client[Group]> };
