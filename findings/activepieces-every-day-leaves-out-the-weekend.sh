#!/usr/bin/env bash
# Package: @activepieces/piece-schedule 0.1.5, the triggers "Every Day" and "Every Hour" of Activepieces with their defaults; the runs are
#   computed with croner 11.0.1.
# The good guess: "Every Day", "Triggers the current flow every day", runs each day, and "Every Hour" each hour. Where a weekend is left
#   out, it is the weekend of the people whose time zone is set.
# What is seen: both run on weekdays only, unless "Run on weekends" is switched on, which it is not by default. And "Every Hour" has no time
#   zone: its weekend is that of UTC, so in Los Angeles it runs last on Friday at 3 p.m. and again on Sunday at 4 p.m., and in Auckland on
#   Saturday at noon and on Monday at 1 p.m.
# Why it matters: the reminder for tomorrow's guests is not sent on Saturday for Sunday, and not on Sunday for Monday. Whoever builds and
#   tests it from Monday to Friday sees it run each day.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @activepieces/piece-schedule@0.1.5 croner@11.0.1 >> npm.log 2>&1
cat > runs.cjs <<'END'
const { everyDayTrigger } = require('@activepieces/piece-schedule/src/lib/triggers/every-day.trigger.js');
const { everyHourTrigger } = require('@activepieces/piece-schedule/src/lib/triggers/every-hour.trigger.js');
const { Cron } = require('croner');
const schedule = async (trigger, given) => {
  const propsValue = Object.fromEntries(Object.entries(trigger.props).map(([name, { defaultValue }]) => [name, defaultValue]));
  let set;
  await trigger.onEnable({ propsValue: { ...propsValue, ...given }, setSchedule: (schedule) => (set = schedule) });
  return set;
};
// Friday, 1 February 2030
const from = new Date('2030-02-01T00:00:00Z');
const show = (date, zone) => date.toLocaleString('en-GB', { timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit' });
(async () => {
  const zone = 'America/Los_Angeles';
  for (const given of [{}, { run_on_weekends: true }]) {
    const { cronExpression, timezone } = await schedule(everyDayTrigger, { hour_of_the_day: 9, timezone: zone, ...given });
    const runs = new Cron(cronExpression, { timezone }).nextRuns(4, from);
    console.log(`${everyDayTrigger.displayName} ${JSON.stringify(given)}: ${runs.map((run) => show(run, zone)).join(', ')}`);
  }
  const { cronExpression, timezone } = await schedule(everyHourTrigger, {});
  const runs = new Cron(cronExpression, { timezone }).nextRuns(60, from);
  const next = runs.findIndex((run, index) => index > 0 && run - runs[index - 1] > 3_600_000);
  for (const there of [zone, 'Europe/London', 'Pacific/Auckland'])
    console.log(`${everyHourTrigger.displayName}, ${there}: nothing between ${show(runs[next - 1], there)} and ${show(runs[next], there)}`);
})();
END
node runs.cjs > seen
cat seen
cat > expected <<'END'
Every Day {}: Fri 09:00, Mon 09:00, Tue 09:00, Wed 09:00
Every Day {"run_on_weekends":true}: Fri 09:00, Sat 09:00, Sun 09:00, Mon 09:00
Every Hour, America/Los_Angeles: nothing between Fri 15:00 and Sun 16:00
Every Hour, Europe/London: nothing between Fri 23:00 and Mon 00:00
Every Hour, Pacific/Auckland: nothing between Sat 12:00 and Mon 13:00
END
diff expected seen
