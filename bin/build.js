#!/usr/bin/env node
// Builds dist/ (a CommonJS chunk a command, and what they share) and oclif.manifest.json. Not published.
'use strict'
const {readFile, readdir, rm, writeFile} = require('node:fs/promises')
const {join, resolve} = require('node:path')

const root = resolve(__dirname, '..')
const dist = join(root, 'dist')
const manifestFile = join(root, 'oclif.manifest.json')

async function build() {
  const commands = await commandFiles()
  await rm(dist, {recursive: true, force: true})
  await bundle(commands)
  return manifest()
}

/** The command files, as paths below src/commands without extension: what follows `storectl`, joined by slashes. */
async function commandFiles() {
  const files = await readdir(join(root, 'src/commands'), {recursive: true})
  return files
    .filter(file => file.endsWith('.ts'))
    .map(file => file.slice(0, -'.ts'.length).replaceAll('\\', '/'))
    .sort()
}

async function bundle(commands) {
  const {rolldown} = await import('rolldown')
  const input = {start: 'storectl:start'}
  for (const name of commands) input[`commands/${name}`] = join(root, 'src/commands', `${name}.ts`)
  const bundled = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    external: [/^node:/, '@photostructure/sqlite', 'typescript', 'pnpapi', 'pg-native'],
    resolve: {extensionAlias: {'.js': ['.ts', '.js']}, conditionNames: ['node', 'require', 'import']},
    plugins: [entry(commands), leftOut()],
    checks: {commonJsVariableInEsm: false},
    logLevel: 'warn',
  })
  const written = await bundled.write({
    dir: dist,
    format: 'cjs',
    exports: 'named',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'parts/[name].cjs',
    dynamicImportInCjs: false,
    comments: {legal: false, annotation: false, jsdoc: false},
  })
  await bundled.close()
  if (process.env.SIZES)
    for (const c of written.output)
      for (const [m, {renderedLength}] of Object.entries(c.modules || {}))
        console.log(renderedLength, c.fileName, m.replace(/.*node_modules/, ''))
}

/** The module that joins the start-up code with every command there is; nobody has to list them by hand. */
function entry(commands) {
  const id = 'storectl:start'
  const loaders = commands.map(name => {
    const file = JSON.stringify(join(root, 'src/commands', `${name}.ts`))
    return `  ${JSON.stringify(name.replaceAll('/', ':'))}: () => import(${file}),`
  })
  const code = async () => `
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Context, machineWorld} from ${JSON.stringify(join(root, 'src/context.ts'))}
import {start} from ${JSON.stringify(join(root, 'src/start.ts'))}
const commands = {
${loaders.join('\n')}
}
const about = ${JSON.stringify(about(JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))))}

export function run(argv, root, userAgent) {
  const manifest = async () => JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))
  return start(argv, {about, root, commands, manifest}, new Context(machineWorld(process, userAgent)))
}
`
  return {
    name: 'start-entry',
    resolveId: source => (source === id ? id : null),
    load: source => (source === id ? code() : null),
  }
}

/** What oclif needs to know of package.json while it runs. */
function about({name, version, description, oclif}) {
  return {name, version, description, oclif: {...oclif, commands: undefined}}
}

/**
 * Parts of oclif that storectl never reaches, or reaches only through a plugin search that does not happen here:
 * each costs start-up time for nothing.
 */
function leftOut() {
  const noop = 'const f = () => {}\n'
  const parts = {
    '@oclif/core': `
export {Command} from '@oclif/core/command'
export {Config} from '@oclif/core/config'
export * as Args from '@oclif/core/args'
export * as Errors from '@oclif/core/errors'
export * as Flags from '@oclif/core/flags'
`,
    '@oclif/core/package.json': "module.exports = {name: '@oclif/core', version: 'bundled'}",
    debug: `${noop}module.exports = () => f`,
    ejs: 'module.exports = {render: text => text}',
    minimatch: 'module.exports = {minimatch: () => false}',
    'wsl-utils': 'module.exports = {isWsl: false}',
  }
  const inOclif = [
    [/[/]config[/]plugin\.js$/, 'exports.Plugin = class {}'],
    [/[/]config[/]ts-path\.js$/, 'exports.tsPath = async (root, path) => path'],
    [/[/]ux[/]action[/](simple|spinner)\.js$/, 'exports.default = class {stop() {}}'],
    [/[/]screen\.js$/, 'exports.stdtermwidth = exports.errtermwidth = 80'],
  ]
  const prefix = '\0left-out:'
  return {
    name: 'left-out',
    resolveId(source, importer) {
      if (source in parts && !(source === '@oclif/core' && importer?.startsWith(prefix)))
        return prefix + source
      return null
    },
    load(id) {
      if (id.startsWith(prefix))
        return {code: parts[id.slice(prefix.length)], moduleSideEffects: false, moduleType: 'js'}
      if (!id.includes('/@oclif/core/')) return null
      const found = inOclif.find(([file]) => file.test(id))
      return found ? `exports.__esModule = true\n${found[1]}` : null
    },
  }
}

/** The manifest as oclif itself makes it, with every key and command in a fixed order. */
async function manifest() {
  for (const name of Object.keys(process.env)) if (name.startsWith('STORECTL_')) delete process.env[name]
  const {Plugin} = await import('@oclif/core')
  const pjson = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const plugin = new Plugin({root, pjson, isRoot: true, ignoreManifest: true, errorOnManifestCreate: true})
  await plugin.load()
  const commands = Object.entries(plugin.manifest.commands).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify({commands: Object.fromEntries(commands), version: pjson.version}, null, 2)}\n`
}

async function main(check) {
  const made = await build()
  if (!check) return writeFile(manifestFile, made)
  const committed = await readFile(manifestFile, 'utf8').catch(() => '')
  if (committed === made) return
  process.stderr.write('oclif.manifest.json is stale: run npm run build and commit it\n')
  process.exitCode = 1
}

main(process.argv.includes('--check'))
