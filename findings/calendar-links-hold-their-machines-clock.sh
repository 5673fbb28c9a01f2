#!/usr/bin/env bash
# Packages: calendar-link 2.11.5 and datebook 8.0.1, which make links that add a meeting to a person's calendar.
# The good guess: a link is made from an instant, so it is the same on every machine, like the calendar file (.ics) that each package
#   writes.
# What is seen: calendar-link's Outlook links and datebook's Yahoo links contain the local time of the machine that made them, without an
#   offset: 09:00 in Los Angeles becomes 17:00 on a server in UTC. Their Google links are right.
# Why it matters: an email sent by a server shows a wrong hour to those readers who use such a calendar, while everything is right on the
#   developer's own machine. Make such links in the reader's browser, or send the file.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts calendar-link@2.11.5 datebook@8.0.1 >> npm.log 2>&1
cat > links.mjs <<'END'
import { google, ics, outlook } from 'calendar-link';
import { GoogleCalendar, ICalendar, YahooCalendar } from 'datebook';
const [start, end] = ['2026-12-15T09:00:00-08:00', '2026-12-15T10:00:00-08:00'];
const first = (link, name) => new RegExp(`\\b${name}[=:]([\\dTZ:-]+)`).exec(decodeURIComponent(link))?.[1];
const meeting = { title: 'Call', start, end };
const same = { title: 'Call', start: new Date(start), end: new Date(end) };
console.log(`made in ${process.env.TZ}:`);
console.log(`  calendar-link: Google ${first(google(meeting), 'dates')}, file ${first(ics(meeting), 'DTSTART')}, Outlook ${first(outlook(meeting), 'startdt')}`);
const [links, file] = [[GoogleCalendar, YahooCalendar].map((Link) => new Link(same).render()), new ICalendar(same).render()];
console.log(`  datebook: Google ${first(links[0], 'dates')}, file ${first(file, 'DTSTART')}, Yahoo ${first(links[1], 'st')}`);
END
for zone in America/Los_Angeles UTC Pacific/Auckland; do TZ=$zone node links.mjs; done > seen
cat seen
cat > expected <<'END'
made in America/Los_Angeles:
  calendar-link: Google 20261215T170000Z, file 20261215T170000Z, Outlook 2026-12-15T09:00:00
  datebook: Google 20261215T170000Z, file 20261215T170000Z, Yahoo 20261215T090000
made in UTC:
  calendar-link: Google 20261215T170000Z, file 20261215T170000Z, Outlook 2026-12-15T17:00:00
  datebook: Google 20261215T170000Z, file 20261215T170000Z, Yahoo 20261215T170000
made in Pacific/Auckland:
  calendar-link: Google 20261215T170000Z, file 20261215T170000Z, Outlook 2026-12-16T06:00:00
  datebook: Google 20261215T170000Z, file 20261215T170000Z, Yahoo 20261216T060000
END
diff expected seen
