'use strict'
const {compileParser} = require('./compile-parser.js')

// Everything that the build changes in packages, with the reason. package.json pins their versions, and the build refuses
// a package that is not as it was when the change was written.
//
// Each change has a `why`, and says what it is worth, or it goes:
// - `gain`: milliseconds of processor time that a command takes longer without it, on Node 20, at least 1: medians of 40
//   to 60 starts of `auth status`, or of a signed-in search for undici, each beside a build with all changes
// - or `size`: KiB that the package is larger without it, at least 100
// - or `test`: the tests that fail without it, below test/ and without their endings
//
// And it is one of three:
// - `module` with `importer`, `code`: stands in for a module wherever it is imported; `importer` is a file that does
// - `file` with `sha256`, `code`: stands in for one file, whose text has this digest (its first 16 digits)
// - `file` with `before`, `after`: replaces what the file has once

const UNREACHED = 'storectl never reaches it, and it costs time at every start'
const OWN_CONFIG = 'src/cli hands a command what it reads of it, so no plugin is searched for or loaded'
const OWN_OUTPUT = 'errors and help are printed by src, in its own words and widths'

/** A file of oclif that is left out; `code` says what is left of it. */
const withoutFile = (file, sha256, code, reason) => ({
  file: `@oclif/core/lib/${file}`,
  sha256,
  code: ES_MODULE + code,
  ...reason,
})

const ES_MODULE = 'exports.__esModule = true\n'

const OCLIF = [
  {
    module: 'debug',
    importer: '@oclif/core/lib/logger.js',
    code: 'module.exports = () => () => {}',
    why: UNREACHED,
    gain: 1.9,
  },
  {
    module: 'wrap-ansi',
    importer: '@oclif/core/lib/errors/errors/cli.js',
    code: 'module.exports = text => text',
    why: OWN_OUTPUT,
    gain: 8.7,
  },
  withoutFile('config/index.js', 'be78e63f1a4b7dec', 'exports.Config = class {}', {
    why: OWN_CONFIG,
    gain: 13.5,
  }),
  withoutFile('screen.js', '3a03f8920cc3e8fa', 'exports.stdtermwidth = exports.errtermwidth = 80', {
    why: 'it opens stderr at every start to ask for its width, and where that is a pipe loads the network code of Node',
    test: 'bin/run',
  }),
  withoutFile('help/util.js', '67fbdaf77085a6e3', '', {why: UNREACHED, gain: 1}),
  withoutFile(
    'help/index.js',
    '042864ab71c29b81',
    "exports.loadHelpClass = async () => { throw new Error('help is printed by src/cli') }",
    {why: OWN_OUTPUT, gain: 9.3},
  ),
  withoutFile(
    'ux/index.js',
    '64e9d738d8064bb1',
    `const {stdout, stderr} = require('./write')
    exports.colorize = (color, text) => text
    exports.ux = {action: {stop() {}}, colorize: exports.colorize, colorizeJson: JSON.stringify, stdout, stderr}`,
    {
      why: 'its spinners have characters that the bundle, which is ASCII, cannot say; and it opens stderr at every start',
      test: 'bin/build/ascii',
    },
  ),
  withoutFile(
    'ux/theme.js',
    '8b6f79640b755605',
    'exports.colorize = (color, text) => text; exports.parseTheme = () => ({})',
    {why: OWN_OUTPUT, gain: 1.7},
  ),
  {
    file: '@oclif/core/lib/command.js',
    before: /process\.stdout\.on\('error', [\s\S]*?\n\}\);/,
    after: '',
    why: 'oclif would swallow a closed stdout, and crash on any other failure to write; the sinks handle both',
    test: 'bin/run',
  },
]

const UNDICI = [
  {
    file: 'undici/lib/dispatcher/client-h2.js',
    sha256: 'e992a732c30c5826',
    code: "module.exports = () => { throw new Error('HTTP/2 is off') }",
    why: 'connections never speak HTTP/2 (`allowH2` is off), whose module takes time to load',
    gain: 2.8,
  },
  {
    file: 'undici/lib/dispatcher/client-h1.js',
    before: "new WebAssembly.Module(require('../llhttp/llhttp_simd-wasm.js'))",
    after: `(${compileParser})(require('../llhttp/llhttp_simd-wasm.js'))`,
    why: 'Node 20 would compile the parser twice at the first response',
    gain: 100,
  },
  {
    file: 'undici/lib/dispatcher/client-h1.js',
    before: 'if (statusCode === 100) {',
    after: 'if (false) {',
    why: 'undici breaks the connection at a 100 Continue that nobody asked for, and the response after it is lost',
    test: 'bin/build/continue',
  },
]

/** Remembers the widths of so many texts of ordinary length: a block of a table seldom has more. */
const MEASURE = `
const {default: measure} = require('string-width')
const ASCII = /^[\\u0020-\\u007e]*$/
const known = new Map()
module.exports = text => {
  if (ASCII.test(text)) return text.length
  let width = known.get(text)
  if (width === undefined) {
    width = measure(text)
    if (known.size >= 4096) known.clear()
    if (text.length <= 256) known.set(text, width)
  }
  return width
}`

const TABLES = [
  {
    module: 'string-width',
    importer: 'cli-table3/src/utils.js',
    code: MEASURE,
    why: 'cli-table3 brings version 4, which takes joined emoji and direction marks for wide, and measures a cell five times',
    test: 'output/table',
  },
  {
    file: 'cli-table3/src/cell.js',
    before: 'let content = utils.truncate(this.content, 10, this.truncate);',
    after: "let content = '';",
    why: 'it shortens the whole cell for a debug message at each of its lines, a character at a time',
    gain: 20,
  },
]

const OTHERS = [
  {
    module: 'when-exit',
    importer: 'atomically/dist/utils/temp.js',
    code: 'export default () => () => {}',
    why: 'for conf: its own signal handlers would send the first Ctrl-C a second time, which ends a command at once',
    test: 'bin/run',
  },
  {
    module: '@inquirer/external-editor',
    importer: '@inquirer/editor/dist/index.js',
    code: 'export const editAsync = () => {}',
    why: 'inquirer has a question that opens an editor, which nothing here asks, with the code pages of iconv-lite: a tenth of the package',
    size: 730,
  },
  {
    module: '@modelcontextprotocol/server/_shims',
    importer: '@modelcontextprotocol/server/dist/stdio.mjs',
    code: `export {default as process} from 'node:process'
    export class DefaultJsonSchemaValidator {}`,
    why: 'it brings Ajv to check the answers to questions that a server asks, and ours asks none',
    size: 262,
  },
  {
    file: 'pg/lib/index.js',
    before: "require('pg-pool')",
    after: "require('pg-pool').default",
    why: 'the package offers itself to `import` in a wrapper, which is what the bundle would hand to this `require`',
    test: 'webhook/shared',
  },
]

exports.packageChanges = [...OCLIF, ...UNDICI, ...TABLES, ...OTHERS]
