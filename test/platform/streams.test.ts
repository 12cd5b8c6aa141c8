import {Writable} from 'node:stream'
import {expect, test} from 'vitest'
import {sinkTo} from '../../src/platform/streams.js'

test.each([10, 100_000])(
  'writes of %i characters that never wait let a signal in all the same',
  async size => {
    const file = new Writable({write: (_chunk, _encoding, done) => done()})
    const sink = sinkTo(() => file, 'a file')
    let wasHeard = false
    setImmediate(() => {
      wasHeard = true
    })
    let writes = 0
    while (!wasHeard && writes < 1000) {
      await sink.write('x'.repeat(size))
      writes++
    }
    expect(writes).toBeLessThan(10)
  },
)
