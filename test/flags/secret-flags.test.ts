import {expect, test} from 'vitest'
import {manifest} from '../support/manifest.js'

test('no flag takes a secret as its value: it comes from stdin or a file', () => {
  const named = Object.values(manifest.commands).flatMap(({id, flags}) =>
    Object.entries(flags)
      .filter(([name, {type}]) => type === 'option' && /secret|password|token|passphrase/.test(name))
      .map(([name]) => `${id} --${name}`),
  )
  // A prefix names a parameter, the flags of `server trigger` take numbers of calls; the others are paths.
  expect(named.filter(each => !/--(token-prefix|(old|wrong)-token|\S+-file)$/.test(each))).toEqual([])
  expect(named).not.toEqual([])
})
