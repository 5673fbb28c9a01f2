#!/usr/bin/env bash
# Package: sherlockjs 1.4.2, which makes an event of a line such as "Lunch on Friday at noon", for a calendar's field for a quick entry.
# The good guess: the times of a line are its start and its end, if both have the same "am" too; what is not understood stays in the title and adds
#   nothing. A day that the month has not is refused, or left in the title.
# What is seen: "Friday 9-11am" is all of Friday, and is called "yoga 9". "Tuesday 2-4" is a whole week, from Tuesday to the Monday after. "for 2
#   hours" has no end, "in half an hour" is in an hour, and the 30th of February is the 2nd of March. "9am-11am" is right.
# Why it matters: a class of two hours takes the room for a day or a week, and the answer has no mark of doubt.
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
