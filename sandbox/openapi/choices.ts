/** What the sandbox does where the public document says nothing and no client depends on it. Another service may differ. */
export const CHOICES = [
  'a `limit` above 100 or below 1 is refused with 400 (G39)',
  'unknown fields of a request are refused with 400, so that misspelt ones are noticed',
  'texts have a maximum length: names 200 characters, notes and reasons 2,000, addresses of subscriptions 2,048',
  'lists begin with the newest record, and cursors stay valid while records are created (G31)',
  'two subscriptions may have the same address (G36)',
  'deliveries continue after a downgrade (G41), and stop permanently if a receiver answers 410 (G38)',
] as const;
