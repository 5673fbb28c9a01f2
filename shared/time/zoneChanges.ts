/** What changed between the releases 2024a and 2026f of the IANA time zone database. `npm run docs` writes it. */
export const zoneChanges = [
  { zones: ['Africa/Casablanca', 'Africa/El_Aaiun'], from: '2026-09-20T01:00Z', was: 60, like: 'Etc/GMT-0' },
  { zones: ['America/Asuncion'], from: '2025-03-23T03:00Z', was: -240, like: 'Etc/GMT+3' },
  { zones: ['America/Coyhaique'], from: '2024-09-08T04:00Z', like: 'Etc/GMT+3' },
  {
    zones: ['America/Edmonton', 'America/Inuvik', 'America/Yellowknife', 'Canada/Mountain'],
    from: '2026-11-01T08:00Z',
    was: -420,
    like: 'Etc/GMT+6',
  },
  { zones: ['America/Havana', 'Cuba'], from: '2026-11-01T05:00Z', until: '2027-03-14T05:00Z', was: -300, like: 'Etc/GMT+4' },
  { zones: ['America/Rainy_River', 'America/Winnipeg', 'Canada/Central'], from: '2026-11-01T07:00Z', was: -360, like: 'Etc/GMT+5' },
  { zones: ['America/Vancouver', 'Canada/Pacific'], from: '2026-11-01T09:00Z', was: -480, like: 'Etc/GMT+7' },
  { zones: ['Europe/Chisinau', 'Europe/Tiraspol'], from: '2022-03-27T00:00Z', was: 180, like: 'Europe/Athens' },
] as const;
