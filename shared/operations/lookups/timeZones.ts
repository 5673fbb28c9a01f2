import { IANAZone } from 'luxon';
import type { Choice } from '../define.ts';
import { isZone } from '../../time/time.ts';
import type { Lookup } from './index.ts';

/** Valid names that are missing from the engine's own list and that people look for. */
const besides = [
  'UTC',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Ho_Chi_Minh',
  'Asia/Yangon',
  'Europe/Kyiv',
  'Atlantic/Faroe',
  'America/Nuuk',
  'Pacific/Kanton',
];

let names: readonly string[] | undefined;

/** Every time zone of the engine, in alphabetical order. Read once, because the list cannot change while the program runs. */
export const zoneNames = (): readonly string[] =>
  (names ??= [...new Set([...Intl.supportedValuesOf('timeZone'), ...besides.filter(isZone)])].sort());

/** Time zones with their current offset, found by any part of their name. */
export const timeZones: Lookup = {
  page(client, { text }) {
    const wanted = (text ?? '').trim().toLowerCase().replaceAll(' ', '_');
    const now = client.clock.now();
    return Promise.resolve({
      choices: zoneNames()
        .filter((name) => name.toLowerCase().includes(wanted))
        .map((name) => toChoice(name, now)),
    });
  },
};

const toChoice = (name: string, now: number): Choice => ({
  value: name,
  label: `${name.replaceAll('_', ' ')} (UTC${IANAZone.create(name).formatOffset(now, 'short')})`,
});
