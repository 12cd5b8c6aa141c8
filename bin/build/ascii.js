'use strict'

/**
 * Writes every character beyond ASCII as an escape: V8 reads a source of single bytes several times as fast. No source
 * has such a character behind a backslash or in a raw template, where the escape would mean something else.
 */
exports.asciiOnly = () => ({
  name: 'ascii-only',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = inAscii(chunk)
  },
})

function inAscii({code, fileName}) {
  if (/\\[^\0-\x7f]|\.raw`[^`]*[^\0-\x7f]/.test(code))
    throw new Error(`${fileName} has a character that no escape can say`)
  return code.replaceAll(/[^\0-\x7f]/g, escaped)
}

/** By UTF-16 unit, so that a regular expression and a string read the same. */
function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
