'use strict'
const {compileParser} = require('./compile-parser.js')

// Everything that the build changes in packages, with the reason. package.json pins their versions, and the build refuses
// a package that is not as it was when the change was written.
//
// Each change has a `why` and is one of three:
// - `module` with `importer`, `code`: stands in for a module wherever it is imported; `importer` is a file that does
// - `file` with `sha256`, `code`: stands in for one file, whose text has this digest (its first 16 digits)
// - `file` with `before`, `after`: replaces what the file has once

const UNREACHED = 'storectl never reaches it, and it costs time at every start'
const OWN_PLUGIN = 'src/cli hands oclif a plugin that is ready, so none is searched for or loaded'
const OWN_OUTPUT = 'errors and help are printed by src, in its own words and widths'

/** A part of oclif that reads another package, which is left out. */
const withoutModule = (module, importer, code, why = OWN_OUTPUT) => ({module, importer, code, why})

/** A file of oclif that is left out; `code` says what is left of it. */
const withoutFile = (file, sha256, code, why) => ({
  file: `@oclif/core/lib/${file}`,
  sha256,
  code: ES_MODULE + code,
  why,
})

const ES_MODULE = 'exports.__esModule = true\n'

const OCLIF = [
  withoutModule(
    '@oclif/core/package.json',
    '@oclif/core/lib/cache.js',
    "module.exports = {version: 'bundled'}",
    'it would be read from the disk',
  ),
  withoutModule('clean-stack', '@oclif/core/lib/errors/errors/cli.js', 'module.exports = stack => stack'),
  withoutModule('debug', '@oclif/core/lib/logger.js', 'module.exports = () => () => {}', UNREACHED),
  withoutModule(
    'ejs',
    '@oclif/core/lib/config/config.js',
    'module.exports = {render: text => text}',
    UNREACHED,
  ),
  withoutModule('indent-string', '@oclif/core/lib/errors/errors/cli.js', 'module.exports = text => text'),
  withoutModule('wordwrap', '@oclif/core/lib/ux/list.js', 'module.exports = () => text => text'),
  withoutModule('wrap-ansi', '@oclif/core/lib/errors/errors/cli.js', 'module.exports = text => text'),
  withoutFile(
    'config/plugin-loader.js',
    '463b31e7ad9f9241',
    `exports.default = class {
      constructor({plugins}) { this.plugins = plugins instanceof Map ? plugins : new Map(plugins.map(p => [p.name, p])) }
      async loadRoot() { return [...this.plugins.values()][0] }
      async loadChildren() { return {plugins: this.plugins, errors: []} }
    }`,
    OWN_PLUGIN,
  ),
  withoutFile('config/plugin.js', 'ee5475ac826c2804', 'exports.Plugin = class {}', OWN_PLUGIN),
  withoutFile(
    'config/ts-path.js',
    '96b3628120af17c9',
    'exports.tsPath = async (root, path) => path',
    OWN_PLUGIN,
  ),
  withoutFile(
    'module-loader.js',
    'e901cf3a0b18af40',
    'exports.load = exports.loadWithData = async () => ({})',
    OWN_PLUGIN,
  ),
  withoutFile(
    'performance.js',
    'c797fe76e617bff0',
    "exports.OCLIF_MARKER_OWNER = ''; exports.Performance = {mark() {}}",
    UNREACHED,
  ),
  withoutFile(
    'errors/handle.js',
    '4299ee3d521f8329',
    'exports.handle = error => { throw error }',
    'BaseCommand reports errors and chooses the exit code',
  ),
  withoutFile(
    'help/index.js',
    '042864ab71c29b81',
    "exports.loadHelpClass = async () => { throw new Error('help is printed by src/cli') }",
    OWN_OUTPUT,
  ),
  withoutFile(
    'screen.js',
    '3a03f8920cc3e8fa',
    'exports.stdtermwidth = exports.errtermwidth = 80',
    OWN_OUTPUT,
  ),
  withoutFile(
    'util/os.js',
    '3cf4a8ea1fd8ba9c',
    `const os = require('node:os')
    exports.getHomeDir = os.homedir
    exports.getPlatform = async () => process.platform
    exports.getShell = async () => 'unknown'`,
    'it would start a program to find out the shell',
  ),
  withoutFile('ux/action/simple.js', 'e967d4c8b7db3e21', 'exports.default = class {stop() {}}', OWN_OUTPUT),
  withoutFile('ux/action/spinner.js', '29610625b2c2554a', 'exports.default = class {stop() {}}', OWN_OUTPUT),
  withoutFile(
    'ux/colorize-json.js',
    'edda7578e24c48df',
    'exports.default = value => JSON.stringify(value)',
    OWN_OUTPUT,
  ),
  withoutFile(
    'ux/theme.js',
    '8b6f79640b755605',
    'exports.colorize = (color, text) => text; exports.parseTheme = () => ({})',
    OWN_OUTPUT,
  ),
  {
    file: '@oclif/core/lib/config/config.js',
    before: "if (this.scopedEnvVarTrue('DISABLE_THEME'))",
    after: 'if (true)',
    why: 'colours are ours, and a file of them would be looked for at every start',
  },
  {
    file: '@oclif/core/lib/ux/index.js',
    before: 'Boolean(process.stderr.isTTY)',
    after: 'false',
    why: 'the two kinds of action are one here, and to open stderr takes a millisecond',
  },
  {
    file: '@oclif/core/lib/parser/parse.js',
    before: 'const node_readline_1 = require("node:readline");',
    after:
      'const node_readline_1 = {createInterface: options => require("node:readline").createInterface(options)};',
    why: 'only a flag that reads stdin needs it, and we have none',
  },
  {
    file: '@oclif/core/lib/command.js',
    before: /process\.stdout\.on\('error', [\s\S]*?\n\}\);/,
    after: '',
    why: 'oclif would swallow a closed stdout, and crash on any other failure to write; the sinks handle both',
  },
]

const UNDICI = [
  {
    file: 'undici/lib/dispatcher/client-h2.js',
    sha256: 'e992a732c30c5826',
    code: "module.exports = () => { throw new Error('HTTP/2 is off') }",
    why: 'connections never speak HTTP/2 (`allowH2` is off), whose module takes 6 ms to load',
  },
  {
    module: 'node:http',
    importer: 'undici/lib/core/util.js',
    code: 'module.exports = {IncomingMessage: class {}, maxHeaderSize: 16384}',
    why: 'undici wants a class to compare with and the default limit for headers; the module takes 8 ms to load',
  },
  {
    file: 'undici/lib/dispatcher/client-h1.js',
    before: "new WebAssembly.Module(require('../llhttp/llhttp_simd-wasm.js'))",
    after: `(${compileParser})(require('../llhttp/llhttp_simd-wasm.js'))`,
    why: 'Node 20 would compile the parser twice at the first response: 80 ms of processor time',
  },
  {
    file: 'undici/lib/dispatcher/client-h1.js',
    before: 'if (statusCode === 100) {',
    after: 'if (false) {',
    why: 'undici breaks the connection at a 100 Continue that nobody asked for, and the response after it is lost',
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
  },
  {
    module: '@colors/colors/safe',
    importer: 'cli-table3/src/cell.js',
    code: 'module.exports = {}',
    why: 'tables have no colours',
  },
  {
    file: 'cli-table3/src/cell.js',
    before: 'let content = utils.truncate(this.content, 10, this.truncate);',
    after: "let content = '';",
    why: 'it shortens the whole cell for a debug message at each of its lines, a character at a time',
  },
]

const OTHERS = [
  {
    module: 'when-exit',
    importer: 'atomically/dist/utils/temp.js',
    code: 'export default () => () => {}',
    why: 'for conf: its own signal handlers would send the first Ctrl-C a second time, which ends a command at once',
  },
  {
    module: '@inquirer/external-editor',
    importer: '@inquirer/editor/dist/index.js',
    code: 'export const editAsync = () => {}',
    why: 'inquirer has a question that opens an editor, which nothing here asks, with the code pages of iconv-lite: a tenth of the package',
  },
  {
    file: 'pg/lib/index.js',
    before: "require('pg-pool')",
    after: "require('pg-pool').default",
    why: 'the package offers itself to `import` in a wrapper, which is what the bundle would hand to this `require`',
  },
]

exports.packageChanges = [...OCLIF, ...UNDICI, ...TABLES, ...OTHERS]
