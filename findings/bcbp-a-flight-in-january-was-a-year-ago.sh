#!/usr/bin/env bash
# Package: bcbp 6.0.2, which reads and writes the barcode of a boarding pass (IATA BCBP). The clock is fixed to 28 December 2030.
# The good guess: the barcode has the day of the year without the year, so a reader takes the next such day, or the nearest: a pass that is
#   read on 28 December for day 002 is for a flight five days later. A day that is written is the one in the Date, for a person or in UTC,
#   and is read back as the same.
# What is seen: it is always a day of the current year, so the flight of 2 January was almost a year ago. With the year as a second argument
#   it is right. Writing takes the day in UTC: a flight at 23:30 on 14 August in New York, or at 0:30 in India, becomes the 15th, or the
#   13th.
# Why it matters: a trip planner that reads the pass at Christmas puts the flight into last January: it is not in the list of trips, no
#   reminder is sent, and the meeting hours on that day stay open. A test in summer passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts bcbp@6.0.2 >> npm.log 2>&1
cat > passes.mjs <<'END'
const now = Date.parse('2030-12-28T12:00Z');
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) {
    super(...(given.length > 0 ? given : [now]));
  }
  static now() {
    return now;
  }
};
const { decode, encode } = await import('bcbp');
const pass = (day) => `M1${'LOVELACE/ADA'.padEnd(20)}EABC123 YULFRAAC 0834 ${day}F001A0025 100`;
const date = (read) => read.data.legs[0].flightDate.toISOString().slice(0, 10);
for (const day of ['363', '002', '014']) console.log(`day ${day}, read on 28 December 2030: ${date(decode(pass(day)))}; with the year 2031: ${date(decode(pass(day), 2031))}`);
const leg = { operatingCarrierPNR: 'ABC123', departureAirport: 'YUL', arrivalAirport: 'FRA', operatingCarrierDesignator: 'AC', flightNumber: '0834' };
for (const departs of ['2030-08-14T12:00:00-04:00', '2030-08-14T23:30:00-04:00', '2030-08-14T00:30:00+05:30']) {
  const text = encode({ data: { passengerName: 'LOVELACE/ADA', legs: [{ ...leg, flightDate: new Date(departs) }] } });
  console.log(`a flight at ${departs}, written and read: ${date(decode(text))}`);
}
END
TZ=UTC node passes.mjs > seen
cat seen
cat > expected <<'END'
day 363, read on 28 December 2030: 2030-12-29; with the year 2031: 2031-12-29
day 002, read on 28 December 2030: 2030-01-02; with the year 2031: 2031-01-02
day 014, read on 28 December 2030: 2030-01-14; with the year 2031: 2031-01-14
a flight at 2030-08-14T12:00:00-04:00, written and read: 2030-08-14
a flight at 2030-08-14T23:30:00-04:00, written and read: 2030-08-15
a flight at 2030-08-14T00:30:00+05:30, written and read: 2030-08-13
END
diff expected seen
