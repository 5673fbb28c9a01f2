#!/usr/bin/env bash
# Packages: cron-to-quartz 1.4.15, which converts a cron line to Quartz syntax, for schedulers in Java and, without its seconds, for AWS,
#   and aws-cron-parser 1.1.12, which reads the latter.
# The good guess: Sunday is 0 or 7 in cron, and 1 in Quartz, whose days are 1 to 7. Friday to Sunday becomes 6-7,1, or the names of the
#   days, or is refused.
# What is seen: one is added to each number, so Sunday as 7 becomes day 8, and Friday to Sunday 6-8. There is no day 8, so aws-cron-parser
#   refuses the line. Sunday as 0 or SUN is right, and so is Monday to Friday.
# Why it matters: a weekend schedule that is moved to another system is refused there, for a day that nobody wrote. It is noticed when the
#   first reminder does not come, as those on weekdays do.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts cron-to-quartz@1.4.15 aws-cron-parser@1.1.12 >> npm.log 2>&1
cat > days.cjs <<'END'
const { getQuartz } = require('cron-to-quartz');
const aws = require('aws-cron-parser');
for (const line of ['0 9 * * 1-5', '0 9 * * 0', '0 9 * * 7', '0 9 * * 5-7', '0 9 * * 6,7', '0 9 * * SUN']) {
  const lines = getQuartz(line);
  console.log(`${line}: ${lines.map((parts) => parts.join(' ')).join(' and ')}`);
  for (const [, ...parts] of lines) {
    try {
      const schedule = aws.parse(parts.join(' '));
      const days = new Set();
      let at = new Date('2030-02-01T00:00:00Z');
      for (let index = 0; index < 14 && at; index += 1) {
        at = aws.next(schedule, at);
        if (at) days.add(at.toUTCString().slice(0, 3));
      }
      console.log(`  runs on ${[...days].join(', ') || 'no day'}`);
    } catch (error) {
      console.log(`  refused (${error.message})`);
    }
  }
}
END
node days.cjs > seen
cat seen
cat > expected <<'END'
0 9 * * 1-5: 0 0 9 ? * 2-6 *
  runs on Fri, Mon, Tue, Wed, Thu
0 9 * * 0: 0 0 9 ? * 1 *
  runs on Sun
0 9 * * 7: 0 0 9 ? * 8 *
  refused (Invalid: number 8 is not between 1 and 7)
0 9 * * 5-7: 0 0 9 ? * 6-8 *
  refused (Invalid: number 8 is not between 1 and 7)
0 9 * * 6,7: 0 0 9 ? * 7,8 *
  refused (Invalid: number 8 is not between 1 and 7)
0 9 * * SUN: 0 0 9 ? * SUN *
  runs on Sun
END
diff expected seen
