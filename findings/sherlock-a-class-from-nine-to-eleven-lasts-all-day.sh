#!/usr/bin/env bash
# Package: sherlockjs 1.4.2, which creates an event from a line such as "Lunch on Friday at noon", for the quick-entry field of a calendar.
# The good guess: two times in a line are the start and the end, also if one "am" stands for both; text that is not understood stays in the
#   title and adds nothing. A date that does not exist is rejected, or left in the title.
# What is seen: "Friday 9-11am" is all of Friday, titled "yoga 9". "Tuesday 2-4" is a whole week, from Tuesday to the next Monday. "for 2
#   hours" gives no end, "in half an hour" is in an hour, and 30 February is 2 March. "9am-11am" is right.
# Why it matters: a class of two hours books the room for a day or a week, and nothing in the result signals doubt.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts sherlockjs@1.4.2 >> npm.log 2>&1
cat > lines.cjs <<'END'
const Sherlock = require('sherlockjs');
Sherlock._setNow(new Date('2030-01-28T08:00')); // its own way to be tested, a Monday
const show = (date) => date && `${date.toDateString().slice(0, 10)} ${date.toTimeString().slice(0, 5)}`;
for (const line of ['Yoga Friday 9am-11am', 'Yoga Friday 9-11am', 'Yoga Tuesday 2-4', 'Yoga Friday 9am for 2 hours', 'Yoga in half an hour', 'Yoga on Feb 30 at 9am']) {
  const { eventTitle, startDate, endDate, isAllDay } = Sherlock.parse(line);
  console.log(`${line}: "${eventTitle}", ${show(startDate)} to ${show(endDate) ?? 'no end'}${isAllDay ? ', all day' : ''}`);
}
END
node lines.cjs > seen
cat seen
cat > expected <<'END'
Yoga Friday 9am-11am: "Yoga", Fri Feb 01 09:00 to Fri Feb 01 11:00
Yoga Friday 9-11am: "yoga 9", Fri Feb 01 00:00 to Fri Feb 01 00:00, all day
Yoga Tuesday 2-4: "yoga 2", Tue Jan 29 00:00 to Mon Feb 04 00:00, all day
Yoga Friday 9am for 2 hours: "Yoga", Fri Feb 01 09:00 to no end
Yoga in half an hour: "Yoga", Mon Jan 28 09:00 to no end
Yoga on Feb 30 at 9am: "Yoga", Sat Mar 02 09:00 to no end
END
diff expected seen
