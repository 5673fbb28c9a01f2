/** What the sandbox does where the public document says nothing and no client rests on it: another service may do otherwise. */
export const CHOICES = [
  'a `limit` above 100 or below 1 is refused with 400 (G39)',
  'a field that a request does not have is refused with 400, so that a misspelt one is not lost',
  'texts have a longest length: names 200 characters, notes and reasons 2,000, addresses of subscriptions 2,048',
  'lists come newest first, and cursors hold while records are made (G31)',
  'two subscriptions may have the same address (G36)',
  'deliveries go on after a downgrade (G41), and end for good where a receiver answers 410 (G38)',
] as const;
