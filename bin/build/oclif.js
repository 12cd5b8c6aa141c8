'use strict'
const {execFile} = require('node:child_process')
const {copyFile, mkdir, readFile, readdir, writeFile} = require('node:fs/promises')
const {join} = require('node:path')
const {promisify} = require('node:util')

/** The page of all commands; oclif puts the list of topics behind the comment. */
const README = `<!-- commands -->

Written by \`npm run build\` from what the commands declare.
`

/**
 * The manifest as `oclif manifest` makes it from the built commands, in a fixed order.
 *
 * @param root the folder of package.json
 * @param folder holds `dist`; what oclif reads and writes is put beside it
 */
exports.makeManifest = async (root, folder) => {
  await copyFile(join(root, 'package.json'), join(folder, 'package.json'))
  await runOclif(folder, ['manifest'])
  const {commands, version} = JSON.parse(await readFile(join(folder, 'oclif.manifest.json'), 'utf8'))
  const sorted = Object.entries(commands).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify({commands: Object.fromEntries(sorted), version}, null, 2)}\n`
}

/**
 * The pages of docs/commands as `oclif readme --multi` makes them from the manifest, by their names.
 *
 * @param folder where `makeManifest` left its files
 */
exports.makePages = async folder => {
  const pages = join(folder, 'pages')
  await mkdir(pages)
  await writeFile(join(pages, 'README.md'), README)
  const links = ['--plugin-directory', folder, '--readme-path', 'pages/README.md', '--output-dir', 'pages']
  await runOclif(folder, ['readme', '--multi', '--no-source-links', ...links])
  const names = (await readdir(pages)).sort()
  const texts = await Promise.all(names.map(name => readFile(join(pages, name), 'utf8')))
  return new Map(names.map((name, at) => [name, texts[at].replaceAll('](pages/', '](')]))
}

/** Runs oclif with nothing of the machine: no settings, no width, and no look at the registry for a newer one. */
function runOclif(folder, argv) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(STORECTL_|OCLIF_|XDG_|COLUMNS$)/.test(name))
  const env = {...Object.fromEntries(kept), OCLIF_SKIP_NEW_VERSION_CHECK: 'true', XDG_CACHE_HOME: folder}
  const oclif = require.resolve('oclif/bin/run.js')
  return promisify(execFile)(process.execPath, [oclif, ...argv], {cwd: folder, env})
}
