/**
 * The limits of section 8: requests per minute over all of `/v1`, subscription requests and token exchanges per minute, active
 * subscriptions per account, records per page.
 */
export const limits = {
  requestsPerMinute: 1000,
  subscriptionRequestsPerMinute: 10,
  tokenExchangesPerMinute: 20,
  subscriptions: 25,
  pageSize: 100,
  defaultPageSize: 25,
} as const;
