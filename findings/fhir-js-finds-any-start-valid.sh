#!/usr/bin/env bash
# Package: fhir 4.12.0 (FHIR.js), which validates hospital records (FHIR) and converts them between JSON and XML.
# The good guess: the start of an appointment is an instant, with seconds and an offset (FHIR R4, "instant"), so any other text is an error,
#   as an unknown status is. A record converted to XML and back is the same: a price is still a number (R4, JSON, "decimal").
# What is seen: any text is a valid start: "31.1.2030", "soon", a time without an offset, a date alone. An unknown status is rejected. A
#   price of 1.5 comes back as the string "1.5", which the same validation rejects.
# Why it matters: a practice that relies on the validation stores appointments that no other program can place, and programs disagree about
#   the hour of a start without an offset.
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
