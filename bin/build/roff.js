'use strict'

/** Longest line of a page's source, which mandoc complains of beyond. */
const LONGEST_LINE = 80

const ESCAPES = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '"': '\\(dq',
}

/** A text in which nothing means anything to roff, and that is ASCII. */
exports.escapeRoff = text => {
  const escaped = text
    .replaceAll(/[\\\-'`^~"]/g, sign => ESCAPES[sign])
    .replaceAll(
      /[^\0-\x7f]/gu,
      sign => `\\[u${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
  return escaped.startsWith('.') ? `\\&${escaped}` : escaped
}

/** A paragraph in lines that roff joins again. */
exports.fillRoff = text => {
  const lines = []
  let line = ''
  for (const word of text.split(' ').filter(Boolean)) {
    const escaped = exports.escapeRoff(word)
    if (line && line.length + 1 + escaped.length > LONGEST_LINE) {
      lines.push(line)
      line = escaped
    } else line = line ? `${line} ${escaped}` : escaped
  }
  return [...lines, line].filter(Boolean)
}
