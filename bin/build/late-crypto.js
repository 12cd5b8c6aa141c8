'use strict'

/** Node takes 6 ms to load its cryptography, more than most commands have anything to hash. */
const TAKES_LONG = /^let (node_crypto) = require\("node:crypto"\);$/m

/** Loads Node's cryptography where it is first called, not with a chunk that only calls it. Lines stay where they are. */
exports.lateCrypto = () => ({
  name: 'late-crypto',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = loadLate(chunk.code)
  },
})

function loadLate(code) {
  const name = TAKES_LONG.exec(code)?.[1]
  if (name === undefined) return code
  const late = code
    .replace(TAKES_LONG, '')
    .replaceAll(new RegExp(`(?<![.\\w])${name}\\.`, 'g'), 'require("node:crypto").')
  return late.includes(name) ? code : late
}
