#!/usr/bin/env bash
# Package: crontzconvert 1.1.1, which converts a cron line (with seconds) from one time zone to another, compared with croner 11.0.1, which
#   reads the original line in its zone.
# The good guess: the converted line runs at the same instants, or the conversion is refused if no single line can do that.
# What is seen: if the hours cross midnight, all of them get one day. Monday to Friday from 8 to 18 in Tokyo becomes "0-9,23 * * 0-4": ten
#   of Friday's eleven hours are missing, and Sunday from 9 to 18 is added. Monthly on the 31st becomes the 30th, which also exists in
#   April, and 28 February at 22 in Bogotá becomes 29 February, which is once in four years. A step in the minutes blocks the half hour: 9
#   to 17 in India begins and ends half an hour too early.
# Why it matters: a bot that answers in office hours answers nobody on Friday afternoon and works on Sunday. An invoice of the end of a
#   month is also sent on 1 May, and one for 28 February once in four years. Single daily times are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts crontzconvert@1.1.1 croner@11.0.1 >> npm.log 2>&1
cat > lines.cjs <<'END'
const { Cron } = require('croner');
const { convert } = require('crontzconvert');
const runs = (line, timezone, [from, to]) => {
  const cron = new Cron(line, { timezone });
  const seen = [];
  for (let at = cron.nextRun(new Date(from)); at && at < new Date(to); at = cron.nextRun(at)) seen.push(at.toISOString());
  return seen;
};
const week = ['2030-01-05T15:00Z', '2030-01-12T15:00Z'];
for (const [says, line, zone, span] of [
  ['each day at 8', '0 0 8 * * *', 'Asia/Tokyo', week],
  ['Monday to Friday, 8 to 18', '0 0 8-18 * * 1-5', 'Asia/Tokyo', week],
  ['each half hour from 9 to 17', '0 */30 9-17 * * *', 'Asia/Kolkata', week],
  ['the 31st at 6', '0 0 6 31 * *', 'Asia/Tokyo', ['2030-01-01T00:00Z', '2031-01-01T00:00Z']],
  ['28 February at 22', '0 0 22 28 2 *', 'America/Bogota', ['2029-01-01T00:00Z', '2033-01-01T00:00Z']],
]) {
  const converted = convert(line, zone, 'UTC');
  const [asked, made] = [runs(line, zone, span), runs(converted, 'UTC', span)];
  const missing = asked.filter((at) => !made.includes(at));
  const added = made.filter((at) => !asked.includes(at));
  const list = (times) => (times.length ? `${times.length} (${times[0].slice(0, 16)}Z to ${times.at(-1).slice(0, 16)}Z)` : 'none');
  console.log(`${says}, ${zone}: ${converted}; of ${asked.length} runs missing ${list(missing)}; added ${list(added)}`);
}
END
TZ=UTC node lines.cjs > seen
cat seen
cat > expected <<'END'
each day at 8, Asia/Tokyo: 0 0 23 * * *; of 7 runs missing none; added none
Monday to Friday, 8 to 18, Asia/Tokyo: 0 0 0-9,23 * * 0-4; of 55 runs missing 10 (2030-01-11T00:00Z to 2030-01-11T09:00Z); added 10 (2030-01-06T00:00Z to 2030-01-06T09:00Z)
each half hour from 9 to 17, Asia/Kolkata: 0 0,30 3-11 * * *; of 126 runs missing 7 (2030-01-06T12:00Z to 2030-01-12T12:00Z); added 7 (2030-01-06T03:00Z to 2030-01-12T03:00Z)
the 31st at 6, Asia/Tokyo: 0 0 21 30 * *; of 7 runs missing none; added 4 (2030-04-30T21:00Z to 2030-11-30T21:00Z)
28 February at 22, America/Bogota: 0 0 3 29 2 *; of 4 runs missing 3 (2029-03-01T03:00Z to 2031-03-01T03:00Z); added none
END
diff expected seen
