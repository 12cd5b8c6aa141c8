'use strict'
const {readFile, readdir} = require('node:fs/promises')
const {dirname, join, relative} = require('node:path')
const {asciiOnly} = require('./ascii.js')
const {changePackages} = require('./change-packages.js')
const {lateModules} = require('./late-modules.js')
const {minifySdk} = require('./minify-sdk.js')
const {nativeSqlite} = require('./native-sqlite.js')
const {rawText} = require('./raw-text.js')

/** What stays outside: Node itself, what is native, and what oclif only asks for in a developer's tree. */
const EXTERNAL = [/^node:/, 'pg-native', 'typescript', 'pnpapi']

/** What is always loaded together, with all that it imports: each chunk less is a file less to look at. */
const TOGETHER = [
  {name: 'entry', test: /\/src\/(cli\/cli|app\/host)\.ts$/, priority: 4},
  {name: 'kysely', test: /\/node_modules\/kysely\//, priority: 3},
  {
    name: 'command',
    test: /\/src\/(cli\/(base|run)-command|app\/adapters\/stores|auth\/profile\/choose-profile)\.ts$/,
    priority: 2,
  },
  {name: 'sqlite', test: /\/src\/storage\/sqlite\/sqlite\.ts$/, priority: 1},
]

/**
 * Bundles the sources into CommonJS chunks: one for each command, one to start with, and what they share. Every
 * `import()` becomes a `require`, because a cached `vm.Script` on Node 20 can do no other.
 *
 * @param folder where the chunks go
 * @param plugins further ones, which look at the modules
 */
exports.bundle = async (root, folder, plugins = []) => {
  const {rolldown} = await import('rolldown')
  const commands = await commandFiles(join(root, 'src/commands'))
  const bundled = await rolldown({
    input: {start: START, ...Object.fromEntries(commands.map(({name, file}) => [`commands/${name}`, file]))},
    cwd: root,
    platform: 'node',
    external: EXTERNAL,
    resolve: {extensionAlias: {'.js': ['.ts', '.js']}, conditionNames: ['node', 'require', 'import']},
    plugins: [
      startEntry(root, commands),
      rawText(),
      ...changePackages(),
      nativeSqlite('@photostructure/sqlite'),
      lateModules(),
      minifySdk(),
      asciiOnly(),
      ...plugins,
    ],
    checks: {bundlerTimings: false},
    logLevel: 'warn',
    onLog: failOnWarning,
  })
  const {output} = await bundled.write({
    dir: folder,
    format: 'cjs',
    exports: 'named',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'parts/[name].cjs',
    dynamicImportInCjs: false,
    codeSplitting: {groups: TOGETHER},
    comments: false,
    // For stacks under --debug; the package goes without them.
    sourcemap: true,
    sourcemapExcludeSources: true,
    sourcemapPathTransform: (path, map) => placeSource(path, map, root, folder),
  })
  await bundled.close()
  return output
}

/** The path of a source from where its map will be: the folder takes the place of `dist`. */
function placeSource(path, map, root, folder) {
  const at = dirname(map)
  return relative(join(root, 'dist', relative(folder, at)), join(at, path))
}

/** A warning, as of an `import()` that loads nothing later, would otherwise go unread in the output of a build. */
function failOnWarning(level, {code, message}) {
  // Lines of packages that the build changes may be off in stacks.
  if (level === 'warn' && code !== 'SOURCEMAP_BROKEN') throw new Error(message)
}

/** Every file below src/commands is a command; its path is what a person types. */
async function commandFiles(folder) {
  const files = await readdir(folder, {recursive: true})
  return files
    .filter(file => file.endsWith('.ts'))
    .sort()
    .map(file => ({name: file.slice(0, -'.ts'.length).replaceAll('\\', '/'), file: join(folder, file)}))
}

const START = 'storectl:start'
const START_ONLY = /^storectl:start$/

/** The module that joins the start-up code with the commands; nobody has to list them by hand. */
function startEntry(root, commands) {
  const source = file => JSON.stringify(join(root, 'src', file))
  const loaders = commands.map(
    ({name, file}) => `${JSON.stringify(name.replaceAll('/', ':'))}: () => import(${JSON.stringify(file)}),`,
  )
  const code = about => `
import {openHost} from ${source('app/host.ts')}
import {start} from ${source('cli/cli.ts')}

const about = ${JSON.stringify(about)}
const commands = {${loaders.join('\n')}}

export function run(argv, {root, read}, userAgent, said = {}) {
  const host = openHost(process, userAgent, root, read)
  said.clean = text => host.redaction.clean(text)
  const manifest = async () => JSON.parse(read('oclif.manifest.json'))
  return start(argv, {about, root, commands, manifest}, host)
}

/** Read by the build. */
export {HELP_TOPICS} from ${source('cli/help/help-topics.ts')}

/** Called by the build. */
export async function buildSchemas() {
  return (await import(${source('contract/schemas.ts')})).buildSchemas()
}

/** Called by the build. */
export async function renderHelpPages(manifest, columns) {
  const program = {about, root: '', commands, manifest: async () => manifest}
  return (await import(${source('cli/help/help-pages.ts')})).renderHelpPages(program, columns)
}
`
  return {
    name: 'start-entry',
    resolveId: {filter: {id: START_ONLY}, handler: () => START},
    load: {filter: {id: START_ONLY}, handler: async () => code(await aboutPackage(root))},
  }
}

/** The part of package.json that is needed while running. */
async function aboutPackage(root) {
  const {name, version, description, oclif} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return {name, version, description, oclif}
}
