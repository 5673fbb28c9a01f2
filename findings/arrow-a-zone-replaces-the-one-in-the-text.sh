#!/usr/bin/env bash
# Packages: arrow 1.4.0, which reads dates in Python, compared with pendulum 3.2.0.
# The good guess: a zone passed beside a text is for texts without one. A time with Z or an offset is that instant, in any zone ("explicitly
#   UTC", says the documentation of tzinfo).
# What is seen: with tzinfo, 09:00Z and 09:00+05:30 are nine o'clock in New York, and so is an aware datetime or another arrow. A number of
#   seconds is right. pendulum keeps the instant.
# Why it matters: most services send Z, so code that says for whom the times are moves every booking by the guest's offset, but not in
#   London's winter and not on a server in UTC. Use to(zone) after reading.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 arrow==1.4.0 pendulum==3.2.0 tzdata==2026.4 > pip.log 2>&1
cat > zones.py <<'END'
from datetime import datetime, timezone
import arrow
import pendulum

zone = 'America/New_York'
for text in ['2030-01-31T09:00', '2030-01-31T09:00Z', '2030-01-31T09:00:00+05:30']:
    print(f'{text}: arrow {arrow.get(text, tzinfo=zone).isoformat()}, pendulum {pendulum.parse(text, tz=zone).isoformat()}, arrow with to {arrow.get(text).to(zone).isoformat()}')
aware = datetime(2030, 1, 31, 9, tzinfo=timezone.utc)
print('aware datetime:', arrow.get(aware, tzinfo=zone).isoformat())
print('arrow:', arrow.get(arrow.get(aware), tzinfo=zone).isoformat())
print('seconds:', arrow.get(aware.timestamp(), tzinfo=zone).isoformat())
END
PYTHONTZPATH="" venv/bin/python zones.py > seen
cat seen
cat > expected <<'END'
2030-01-31T09:00: arrow 2030-01-31T09:00:00-05:00, pendulum 2030-01-31T09:00:00-05:00, arrow with to 2030-01-31T04:00:00-05:00
2030-01-31T09:00Z: arrow 2030-01-31T09:00:00-05:00, pendulum 2030-01-31T09:00:00+00:00, arrow with to 2030-01-31T04:00:00-05:00
2030-01-31T09:00:00+05:30: arrow 2030-01-31T09:00:00-05:00, pendulum 2030-01-31T09:00:00+05:30, arrow with to 2030-01-30T22:30:00-05:00
aware datetime: 2030-01-31T09:00:00-05:00
arrow: 2030-01-31T09:00:00-05:00
seconds: 2030-01-31T04:00:00-05:00
END
diff expected seen
