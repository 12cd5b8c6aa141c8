import {describe} from 'vitest'
import {expectErrors, plainEntry} from './envelopes.js'
import {conformance} from './rows.js'

const row = conformance()

describe('§1.4 standard errors', () => {
  row('404: an unknown entity', async shop => {
    const reply = await shop.post('/api/search/foo', {})
    expectErrors(reply, 404, plainEntry(404, `No route found for "POST ${shop.url}/api/search/foo"`))
  })
})
