import {resolve} from 'node:path'
import type {FileOutput} from '../../platform/files/atomic-file.js'
import type {Input, ScratchFile} from '../../platform/terminal/input.js'
import type {Prompts} from '../../platform/terminal/prompts.js'
import type {SecretSource} from '../../platform/terminal/secret-input.js'
import type {Host} from '../host.js'

/** Files that a command reads and writes; each is closed at the end of the command. */
export interface CommandFiles {
  /** A file, or stdin for `-`. */
  openInput(path: string): Promise<Input>
  /** A temporary file for data that does not fit in memory; removed at the end of the command in any case. */
  openScratch(): Promise<ScratchFile>
  /**
   * A file that is written as a whole or not at all.
   *
   * @param replaces whether an existing file may be replaced
   * @param makesFolder whether missing folders are created
   */
  openOutput(path: string, replaces: boolean, makesFolder?: boolean): Promise<FileOutput>
  /** A secret from the source that flags name; from then on it is removed from stderr. */
  readSecret(source: SecretSource): Promise<string | undefined>
}

export interface FilesDeps {
  /** Where input that can be read only once is stored temporarily. */
  readonly spoolFolder: () => string
  readonly prompts: () => Prompts
  readonly closeAtEnd: (close: () => Promise<void>) => void
}

export function openFiles(
  {stdin, interruption, folder, redaction}: Host,
  {spoolFolder, prompts, closeAtEnd}: FilesDeps,
): CommandFiles {
  return {
    openInput: async path => {
      const {openInput} = await import('../../platform/terminal/input.js')
      const deps = {stdin, spoolFolder: spoolFolder(), signal: interruption.stopping}
      const input = await openInput(path, deps)
      closeAtEnd(() => input.close())
      return input
    },
    openScratch: async () => {
      const {openScratch} = await import('../../platform/terminal/input.js')
      const scratch = await openScratch(spoolFolder())
      closeAtEnd(() => scratch.close())
      return scratch
    },
    openOutput: async (path, replaces, makesFolder) => {
      const {openFileOutput} = await import('../../platform/files/atomic-file.js')
      const output = await openFileOutput(resolve(folder(), path), replaces, makesFolder)
      closeAtEnd(() => output.close())
      return output
    },
    readSecret: async source => {
      const {readSecret} = await import('../../platform/terminal/secret-input.js')
      const secret = await readSecret(source, {source: stdin, prompts})
      for (const line of secret?.split('\n') ?? []) {
        redaction.hide(line)
        redaction.hideHeader(line.replace(/^[\w-]+:/, ''))
      }
      return secret
    },
  }
}
