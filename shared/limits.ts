/** Section 8: requests a minute over all of `/v1`, subscription requests a minute, token exchanges a minute, active subscriptions an account, records a page. */
export const limits = {
  requestsPerMinute: 1000,
  subscriptionRequestsPerMinute: 10,
  tokenExchangesPerMinute: 20,
  subscriptions: 25,
  pageSize: 100,
  defaultPageSize: 25,
} as const;
