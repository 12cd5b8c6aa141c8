import {expect, test} from 'vitest'
import {findDoubt} from '../../src/wire/find-doubt.js'

const OWN = JSON.stringify({errors: [{code: '0', status: '500', title: 'Error', detail: 'it broke'}]})
const PAGE = '<html>Gateway time-out</html>'

test.each([
  [408, PAGE, 0, 'at-work'],
  [408, OWN, 0, 'at-work'],
  [504, PAGE, 0, 'at-work'],
  [504, OWN, 0, 'at-work'],
  [501, PAGE, 0, 'at-work'],
  [505, '', 0, 'at-work'],
  [520, PAGE, 0, 'at-work'],
  [599, '', 0, 'at-work'],
  [500, PAGE, 0, 'at-work'],
  [500, '', 60_000, 'at-work'],
  [500, OWN, 60_000, undefined],
  [502, PAGE, 1999, 'refused'],
  [502, PAGE, 2000, 'at-work'],
  [503, OWN, 1999, 'refused'],
  [503, OWN, 2000, 'at-work'],
  [503, '', 30_000, 'at-work'],
  [200, '', 60_000, undefined],
  [400, OWN, 60_000, undefined],
  [404, PAGE, 0, undefined],
  [413, '', 0, undefined],
  [429, '', 60_000, undefined],
])('%i with %j after %i ms is %s', (status, body, tookMs, expected) => {
  expect(findDoubt({status, body: Buffer.from(body)}, tookMs)).toBe(expected)
})
