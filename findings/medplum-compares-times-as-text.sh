#!/usr/bin/env bash
# Packages: @medplum/core 5.2.13 and fhirpath 5.2.2, which evaluate FHIRPath expressions on FHIR records (Appointment, Slot).
# The good guess: a time with an offset is an instant (FHIR's instant and dateTime), so 09:00+01:00 equals 08:00Z, and "before" and "after"
#   compare instants. FHIRPath also adds durations to times; a library does so, or throws.
# What is seen: Medplum compares times of a record as text, with literals in the expression converted to UTC. An appointment at 09:00+01:00
#   is not at 08:00Z and not before 08:30Z. If the record is in UTC with milliseconds, both are right. Adding 30 minutes appends "30" to the
#   text in either case. fhirpath.js compares and adds instants.
# Why it matters: "is this slot taken?" and "what starts before noon?" get wrong answers for the records of a practice that writes its own
#   offset, and right ones for records in UTC, which people use in tests.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @medplum/core@5.2.13 fhirpath@5.2.2 >> npm.log 2>&1
cat > appointments.mjs <<'END'
import fhirpath from 'fhirpath';
import r4 from 'fhirpath/fhir-context/r4/index.js';
// It wants the WebSocket of Node.js 22 when it is loaded, and does not use it here.
globalThis.WebSocket ??= class extends EventTarget {};
const { evalFhirPath } = await import('@medplum/core');
const asked = ['start = @2030-01-31T08:00:00.000Z', 'start < @2030-01-31T08:30:00.000Z', '(start | @2030-01-31T08:00:00.000Z).count()', 'start + 30 minutes'];
for (const [start, end] of [['2030-01-31T09:00:00+01:00', '2030-01-31T10:00:00+01:00'], ['2030-01-31T08:00:00.000Z', '2030-01-31T09:00:00.000Z']]) {
  const appointment = { resourceType: 'Appointment', status: 'booked', start, end };
  console.log(`start: ${start}`);
  for (const path of asked)
    console.log(`  ${path}: medplum ${evalFhirPath(path, appointment)}, fhirpath.js ${fhirpath.evaluate(appointment, path, {}, r4)}`);
}
END
# fhirpath.js writes times in the machine's time zone.
TZ=UTC node appointments.mjs > seen
cat seen
cat > expected <<'END'
start: 2030-01-31T09:00:00+01:00
  start = @2030-01-31T08:00:00.000Z: medplum false, fhirpath.js true
  start < @2030-01-31T08:30:00.000Z: medplum false, fhirpath.js true
  (start | @2030-01-31T08:00:00.000Z).count(): medplum 2, fhirpath.js 1
  start + 30 minutes: medplum 2030-01-31T09:00:00+01:0030, fhirpath.js 2030-01-31T08:30:00-00:00
start: 2030-01-31T08:00:00.000Z
  start = @2030-01-31T08:00:00.000Z: medplum true, fhirpath.js true
  start < @2030-01-31T08:30:00.000Z: medplum true, fhirpath.js true
  (start | @2030-01-31T08:00:00.000Z).count(): medplum 1, fhirpath.js 1
  start + 30 minutes: medplum 2030-01-31T08:00:00.000Z30, fhirpath.js 2030-01-31T08:30:00-00:00
END
diff expected seen
