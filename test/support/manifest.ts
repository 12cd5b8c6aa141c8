import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Manifest} from '../../src/cli/manifest/manifest.js'

/** What every command takes, as the build wrote it down. */
export const manifest: Manifest = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../oclif.manifest.json'), 'utf8'),
)
