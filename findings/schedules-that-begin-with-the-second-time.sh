#!/usr/bin/env bash
# Packages: bullmq 6.7.0, node-schedule 2.1.1, cron-parser 5.10.6 and croner 11.0.1, which repeat jobs by a cron expression, with a start
#   and an end.
# The good guess: "every Thursday at nine, from 31 January 2030 at nine to 14 February at nine" is three times. Both ends are part of the
#   series, as DTSTART and UNTIL are in a calendar file (RFC 5545, 3.3.10 and 3.8.5.3), or neither is.
# What is seen: none runs three times. The first three silently begin a week later, as they look for a time after the start, though bullmq
#   and cron-parser do include the end. croner includes the start and leaves out the end. With a start one second earlier, all have the
#   first.
# Why it matters: the first evening of a course is not announced, the first installment is not charged, and the second comes as if it were
#   the first; with croner, the last one is lost. A form that asks for the first event gives exactly that time, and a test with a start at
#   midnight passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts bullmq@6.7.0 node-schedule@2.1.1 cron-parser@5.10.6 croner@11.0.1 >> npm.log 2>&1
cat > starts.mjs <<'END'
import { defaultRepeatStrategy } from 'bullmq'; // what a job scheduler of a queue goes by unless it is given another one
import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';
import schedule from 'node-schedule';
const [line, end] = ['0 9 * * 4', '2030-02-14T09:00:00Z'];
const days = (times) => times.map((time) => new Date(Number(time)).toISOString().slice(5, 16)).join(' ');
function all(next) {
  const times = [];
  for (let time = next(Date.parse('2030-01-01T00:00Z')); time && times.length < 5; time = next(Number(time))) times.push(time);
  return days(times);
}
for (const start of ['2030-01-31T00:00:00Z', '2030-01-31T08:59:59Z', '2030-01-31T09:00:00Z']) {
  console.log(`from ${start} to ${end}`);
  const parsed = CronExpressionParser.parse(line, { currentDate: '2030-01-01T00:00:00Z', startDate: start, endDate: end, tz: 'UTC' });
  console.log(`  cron-parser: ${all(() => (parsed.hasNext() ? parsed.next().getTime() : undefined))}`);
  console.log(`  bullmq: ${all((after) => defaultRepeatStrategy(after, { pattern: line, startDate: start, endDate: end, tz: 'UTC' }))}`);
  const job = schedule.scheduleJob({ start: new Date(start), end: new Date(end), rule: line, tz: 'UTC' }, () => {});
  console.log(`  node-schedule: ${days([job.nextInvocation().getTime()])}`);
  job.cancel();
  console.log(`  croner: ${days(new Cron(line, { startAt: start, stopAt: end, timezone: 'UTC' }).nextRuns(5, '2030-01-01T00:00:00Z'))}`);
}
END
TZ=UTC node starts.mjs > seen
cat seen
cat > expected <<'END'
from 2030-01-31T00:00:00Z to 2030-02-14T09:00:00Z
  cron-parser: 01-31T09:00 02-07T09:00 02-14T09:00
  bullmq: 01-31T09:00 02-07T09:00 02-14T09:00
  node-schedule: 01-31T09:00
  croner: 01-31T09:00 02-07T09:00
from 2030-01-31T08:59:59Z to 2030-02-14T09:00:00Z
  cron-parser: 01-31T09:00 02-07T09:00 02-14T09:00
  bullmq: 01-31T09:00 02-07T09:00 02-14T09:00
  node-schedule: 01-31T09:00
  croner: 01-31T09:00 02-07T09:00
from 2030-01-31T09:00:00Z to 2030-02-14T09:00:00Z
  cron-parser: 02-07T09:00 02-14T09:00
  bullmq: 02-07T09:00 02-14T09:00
  node-schedule: 02-07T09:00
  croner: 01-31T09:00 02-07T09:00
END
diff expected seen
