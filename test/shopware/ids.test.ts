import {expect, test} from 'vitest'
import {DEFAULT_SALUTATION_ID, deriveFixedId} from '../../src/shopware/ids.js'

test('the id of no salutation is the one that its words give', () => {
  expect(DEFAULT_SALUTATION_ID).toBe(deriveFixedId('salutation', 'not_specified'))
})
