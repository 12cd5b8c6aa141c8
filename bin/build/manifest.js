'use strict'
const {readFile} = require('node:fs/promises')
const {join, relative} = require('node:path')

/**
 * The manifest as oclif itself makes it from the built commands, in a fixed order.
 *
 * @param folder where the built commands are; the manifest says `dist`
 */
exports.makeManifest = async (root, folder) => {
  forgetSettings(process.env)
  const {Plugin} = await import('@oclif/core')
  const pjson = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  pjson.oclif.commands.target = relative(root, join(folder, 'commands'))
  const plugin = new Plugin({root, pjson, isRoot: true, ignoreManifest: true, errorOnManifestCreate: true})
  await plugin.load()
  const commands = Object.entries(plugin.manifest.commands)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, command]) => [
      id,
      {...command, relativePath: ['dist', 'commands', `${id.replaceAll(':', '/')}.cjs`]},
    ])
  return `${JSON.stringify({commands: Object.fromEntries(commands), version: pjson.version}, null, 2)}\n`
}

/** A default read from the environment of whoever builds must not end up in a file that is committed. */
function forgetSettings(env) {
  for (const name of Object.keys(env)) if (name.startsWith('STORECTL_')) delete env[name]
}
