#!/usr/bin/env bash
# Package: react-big-calendar 1.20.0 (with react and react-dom 19.2.0), the day view with each of its four date libraries: moment 2.30.1,
#   luxon 3.7.2, dayjs 1.11.23 and date-fns 4.4.0. The machine is in New York.
# The good guess: an event at 9:00 is drawn beside the label "9:00 AM", which is 37.5 percent down a day of 24 labels, on each day of the
#   year and with each library.
# What is seen: on the days of the clock changes the labels stay 24, but with moment, luxon and dayjs the events are placed by a day of 23
#   or 25 hours. In March an event at 9:00 begins almost half an hour down, one at 22:00 an hour, and one at 23:00 is at 100 percent with a
#   height of 0: nothing is drawn. In November 23:00 is drawn at 22:05. With date-fns all are right, and so is the title in the tooltip.
# Why it matters: on that Sunday a host sees a free evening in which a guest has a call, or books over it, since the page says that the hour
#   is open. No test on another day, and none on a machine in UTC, can see it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts react-big-calendar@1.20.0 react@19.2.0 react-dom@19.2.0 moment@2.30.1 luxon@3.7.2 dayjs@1.11.23 date-fns@4.4.0 >> npm.log 2>&1
cat > day.cjs <<'END'
const dateFns = require('date-fns');
const { enUS } = require('date-fns/locale');
const dayjs = require('dayjs');
const { DateTime } = require('luxon');
const moment = require('moment');
const { createElement } = require('react');
const calendar = require('react-big-calendar');
const { renderToString } = require('react-dom/server');
const localizers = {
  moment: calendar.momentLocalizer(moment),
  luxon: calendar.luxonLocalizer(DateTime),
  dayjs: calendar.dayjsLocalizer(dayjs),
  'date-fns': calendar.dateFnsLocalizer({ ...dateFns, locales: { 'en-US': enUS } }),
};
for (const day of ['2030-03-09', '2030-03-10', '2030-11-03'])
  for (const [name, localizer] of Object.entries(localizers)) {
    const events = [9, 22, 23].map((hour) => {
      const start = new Date(`${day}T${String(hour).padStart(2, '0')}:00`);
      return { title: 'Call', start, end: new Date(start.getTime() + 1_800_000) };
    });
    const page = renderToString(createElement(calendar.Calendar, { localizer, culture: 'en-US', defaultView: 'day', defaultDate: new Date(`${day}T12:00`), events }));
    const labels = page.match(/rbc-label">\d/g).length;
    const drawn = [...page.matchAll(/top:([\d.]+)%;height:([\d.]+)%[^>]*title="(\d+:\d+ [AP]M)/g)].map(([, top, height, title]) => {
      const minutes = Math.round((top / 100) * labels * 60);
      return `${title} at ${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}${Number(height) === 0 ? ' without a height' : ''}`;
    });
    console.log(`${day}, ${name}, ${labels} labels: ${drawn.join(', ')}`);
  }
END
TZ=America/New_York NODE_ENV=production node day.cjs > seen
cat seen
cat > expected <<'END'
2030-03-09, moment, 24 labels: 9:00 AM at 9:00, 10:00 PM at 22:00, 11:00 PM at 23:00
2030-03-09, luxon, 24 labels: 9:00 AM at 9:00, 10:00 PM at 22:00, 11:00 PM at 23:00
2030-03-09, dayjs, 24 labels: 9:00 AM at 9:00, 10:00 PM at 22:00, 11:00 PM at 23:00
2030-03-09, date-fns, 24 labels: 9:00 AM at 9:00, 10:00 PM at 22:00, 11:00 PM at 23:00
2030-03-10, moment, 24 labels: 9:00 AM at 9:23, 10:00 PM at 22:57, 11:00 PM at 24:00 without a height
2030-03-10, luxon, 24 labels: 9:00 AM at 9:23, 10:00 PM at 22:57, 11:00 PM at 24:00 without a height
2030-03-10, dayjs, 24 labels: 9:00 AM at 9:23, 10:00 PM at 22:57, 11:00 PM at 24:00 without a height
2030-03-10, date-fns, 24 labels: 9:00 AM at 9:00, 10:00 PM at 22:00, 11:00 PM at 23:00
2030-11-03, moment, 24 labels: 9:00 AM at 8:38, 10:00 PM at 21:07, 11:00 PM at 22:05
2030-11-03, luxon, 24 labels: 9:00 AM at 8:38, 10:00 PM at 21:07, 11:00 PM at 22:05
2030-11-03, dayjs, 24 labels: 9:00 AM at 8:38, 10:00 PM at 21:07, 11:00 PM at 22:05
2030-11-03, date-fns, 24 labels: 9:00 AM at 9:00, 10:00 PM at 22:00, 11:00 PM at 23:00
END
diff expected seen
