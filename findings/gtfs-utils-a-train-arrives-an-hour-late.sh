#!/usr/bin/env bash
# Package: gtfs-utils 5.1.0, which computes arrival times of buses and trains from a timetable (GTFS).
# The good guess: all times of a trip are in the agency's time zone (agency_timezone), even at stops with their own (stop_timezone), which
#   is only for display. The GTFS reference says so at stop_timezone: "regardless of which timezones the trip crosses".
# What is seen: each time is read in the time zone of its stop. A train from Paris reaches London an hour late (11:20Z instead of 10:20Z),
#   and the train back reaches Calais ten minutes before it left London. Between stops in the agency's zone, times are right.
# Why it matters: a meeting at the station, or the trip home after the last meeting, is planned for the wrong hour. To a person who reads
#   the file, both readings look plausible.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts gtfs-utils@5.1.0 >> npm.log 2>&1
cat > stops.cjs <<'END'
const computeStopovers = require('gtfs-utils/compute-stopovers');
const files = (stops) => ({
  stops: [{ stop_id: 'London', stop_timezone: 'Europe/London' }, { stop_id: 'Paris', stop_timezone: '' }, { stop_id: 'Calais', stop_timezone: 'Europe/Paris' }],
  trips: [{ trip_id: 't', route_id: 'r', service_id: 's' }],
  calendar: [{ service_id: 's', monday: '0', tuesday: '0', wednesday: '0', thursday: '1', friday: '0', saturday: '0', sunday: '0', start_date: '20300131', end_date: '20300131' }],
  calendar_dates: [],
  frequencies: [],
  stop_times: stops.map(([stop_id, time], index) => ({ trip_id: 't', stop_sequence: String(index + 1), stop_id, arrival_time: time, departure_time: time })),
});
const agency = 'Europe/Paris';
(async () => {
  for (const stops of [[['Paris', '09:00:00'], ['Calais', '10:30:00'], ['London', '11:20:00']], [['London', '18:00:00'], ['Calais', '18:50:00'], ['Paris', '20:20:00']]]) {
    const all = files(stops);
    const read = async (name) => (async function* () { for (const row of all[name]) yield { ...row }; })();
    console.log(`agency in ${agency}; ${stops.map((stop) => stop.join(' ')).join(', ')}`);
    let before;
    for await (const { stop_id, arrival } of computeStopovers(read, agency)) {
      console.log(`  ${stop_id} ${new Date(arrival * 1000).toISOString().slice(0, 16)}Z${before ? `, ${(arrival - before) / 60} minutes later` : ''}`);
      before = arrival;
    }
  }
})();
END
node stops.cjs > seen
cat seen
cat > expected <<'END'
agency in Europe/Paris; Paris 09:00:00, Calais 10:30:00, London 11:20:00
  Paris 2030-01-31T08:00Z
  Calais 2030-01-31T09:30Z, 90 minutes later
  London 2030-01-31T11:20Z, 110 minutes later
agency in Europe/Paris; London 18:00:00, Calais 18:50:00, Paris 20:20:00
  London 2030-01-31T18:00Z
  Calais 2030-01-31T17:50Z, -10 minutes later
  Paris 2030-01-31T19:20Z, 90 minutes later
END
diff expected seen
