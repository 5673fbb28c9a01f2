#!/usr/bin/env bash
# Package: gtfs-realtime-bindings 1.1.1, MobilityData's package, which reads the live times of buses and trains (GTFS Realtime).
# The good guess: a stop whose update has a time and no delay has no delay in the object that is read, and a stop without data has none.
#   "time" is seconds since 1970, and a delay of 120 seconds can be added to it.
# What is seen: all that is not in the message has a default that reads like an answer: the delay is 0, and the relation to the timetable is
#   0, which means "scheduled". A train that is five minutes late, told by its time, has delay 0; so has one without any data. Only
#   Object.hasOwn or JSON.stringify see the difference. A time is an object (Long): time * 1000 works, and time + 120 is a text,
#   "1893456300120", which as a Date is in the year 61971.
# Why it matters: a page says "on time" for a train that is late, and the traveler of a meeting leaves too late. Feeds that send both delay
#   and time, which the examples do, are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts gtfs-realtime-bindings@1.1.1 >> npm.log 2>&1
cat > train.cjs <<'END'
const { FeedMessage } = require('gtfs-realtime-bindings').transit_realtime;
const scheduled = 1893456000;
const stopTimeUpdate = [
  { stopSequence: 1, arrival: { delay: 300, time: scheduled + 300 } },
  { stopSequence: 2, arrival: { time: scheduled + 300 } },
  { stopSequence: 3, arrival: {}, scheduleRelationship: 2 },
  { stopSequence: 4, arrival: {} },
];
const sent = { header: { gtfsRealtimeVersion: '2.0', timestamp: scheduled }, entity: [{ id: '1', tripUpdate: { trip: { tripId: 't' }, stopTimeUpdate } }] };
const feed = FeedMessage.decode(FeedMessage.encode(FeedMessage.create(sent)).finish());
const says = ['five minutes late, by delay and time', 'five minutes late, by time alone', 'no data, and says so', 'no data'];
feed.entity[0].tripUpdate.stopTimeUpdate.forEach(({ arrival, scheduleRelationship }, index) => {
  const { delay } = arrival;
  console.log(`${says[index]}: delay ${delay}${delay === 0 ? ', on time' : ''}; relation ${scheduleRelationship}; in the message ${JSON.stringify(arrival)}`);
});
const { time } = feed.entity[0].tripUpdate.stopTimeUpdate[1].arrival;
console.log(`time * 1000: ${new Date(time * 1000).toISOString()}; time + 120: ${time + 120}, as a date ${new Date((time + 120) * 1000).getUTCFullYear()}`);
console.log(`Number(time) + 120: ${new Date((Number(time) + 120) * 1000).toISOString()}`);
END
TZ=UTC node train.cjs > seen
cat seen
cat > expected <<'END'
five minutes late, by delay and time: delay 300; relation 0; in the message {"delay":300,"time":"1893456300"}
five minutes late, by time alone: delay 0, on time; relation 0; in the message {"time":"1893456300"}
no data, and says so: delay 0, on time; relation 2; in the message {}
no data: delay 0, on time; relation 0; in the message {}
time * 1000: 2030-01-01T00:05:00.000Z; time + 120: 1893456300120, as a date 61971
Number(time) + 120: 2030-01-01T00:07:00.000Z
END
diff expected seen
