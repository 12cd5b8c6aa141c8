/** Request header: skips the flows for the request's changes, on every route. @see shop-6.7.md 1 */
export const SKIP_FLOWS = 'sw-skip-trigger-flow'
