'use strict'

/** Modules of Node's that take up to 6 ms to load, and that most commands that could call them do not. */
const TAKES_LONG = /^(?:let|\tconst) (\w+) = require\("(node:(?:crypto|fs\/promises|readline))"\);$/gm

/** Loads modules of Node's where they are first called, not with a chunk that only calls them. Lines stay where they are. */
exports.lateModules = () => ({
  name: 'late-modules',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = loadLate(chunk.code)
  },
})

function loadLate(code) {
  return [...code.matchAll(TAKES_LONG)].reduce(loadOneLate, code)
}

/** Leaves alone a name that is used for anything else than a member, or that several modules have. */
function loadOneLate(code, [declaration, name, module]) {
  const late = code
    .replace(declaration, '')
    .replaceAll(new RegExp(`(?<![.\\w])${name}\\.`, 'g'), `require("${module}").`)
  return late.includes(name) ? code : late
}
