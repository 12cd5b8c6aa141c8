/** The page loads, draws and asks nothing but what comes from here, and no other page may look into it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]

/** On every answer of the page. Unlike the shop's own answers, these are for no other site's scripts. */
export const VIEWER_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY.join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'deny',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Another version may stand behind the same address tomorrow, so ask; the answer is mostly 304.
  'cache-control': 'no-cache',
}
