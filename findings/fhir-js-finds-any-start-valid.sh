#!/usr/bin/env bash
# Package: fhir 4.12.0 (FHIR.js), which checks records of hospitals (FHIR) and turns them from JSON into XML and back.
# The good guess: a start of an appointment or a slot is an instant, with seconds and an offset (FHIR R4, "instant"), so another text is an error,
#   as an unknown status is. What goes into XML and comes back is the same: a price is a number there and here (R4, JSON, "decimal").
# What is seen: any text is a valid start, "31.1.2030" and "soon" too, a start without an offset, and a date alone, while a status is checked. A
#   price comes back as a text, "1.5" for 1.5, which the same check refuses.
# Why it matters: a practice that relies on the check stores appointments that no other program can place, and a start without an offset is at
#   another hour in each of them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts fhir@4.12.0 >> npm.log 2>&1
cat > appointments.mjs <<'END'
import fhirJs from 'fhir';
const fhir = new fhirJs.Fhir();
for (const [start, status] of [['2030-01-31T09:00:00+01:00', 'booked'], ['2030-01-31T09:00:00+01:00', 'bookd'], ['2030-01-31T09:00:00', 'booked'], ['2030-01-31', 'booked'], ['31.1.2030', 'booked'], ['soon', 'booked']]) {
  const appointment = { resourceType: 'Appointment', status, start, end: '2030-01-31T09:30:00+01:00', participant: [{ status: 'accepted' }] };
  const { valid, messages } = fhir.validate(appointment);
  console.log(`${start}, ${status}: ${valid ? 'valid' : messages.map(({ message }) => message).join(', ')}`);
}
const price = { resourceType: 'Invoice', status: 'issued', totalGross: { value: 1.5, currency: 'EUR' } };
const back = fhir.xmlToObj(fhir.objToXml(price));
console.log(`${JSON.stringify(price.totalGross)}, ${fhir.validate(price).valid ? 'valid' : 'not valid'}, comes back as ${JSON.stringify(back.totalGross)}, ${fhir.validate(back).valid ? 'valid' : 'not valid'}`);
END
node appointments.mjs > seen
cat seen
cat > expected <<'END'
2030-01-31T09:00:00+01:00, booked: valid
2030-01-31T09:00:00+01:00, bookd: Code "bookd" not found in value set
2030-01-31T09:00:00, booked: valid
2030-01-31, booked: valid
31.1.2030, booked: valid
soon, booked: valid
{"value":1.5,"currency":"EUR"}, valid, comes back as {"value":"1.5","currency":"EUR"}, not valid
END
diff expected seen
