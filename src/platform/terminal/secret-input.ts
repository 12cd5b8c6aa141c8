import {createUsageError, StorectlError} from '../../errors.js'
import {decodeText} from '../decode-text.js'
import {readTextIfThere} from '../files/files.js'
import type {Source} from '../streams.js'
import type {Prompts} from './prompts.js'

/** Where to read a secret from; at most one of them. */
export interface SecretSource {
  /** `--client-secret-stdin` was given. */
  readonly stdin?: boolean | undefined
  /** `--client-secret-file FILE` was given. */
  readonly file?: string | undefined
  /** `client secret`, for messages and the question. */
  readonly what: string
  readonly mayBeEmpty?: boolean
}

/** Longer than any secret, so that a wrong file is not read completely. */
const LONGEST = 64 * 1024

/**
 * Reads a secret from its source, without the white space around it, in UTF-8 or UTF-16.
 *
 * On a terminal, stdin is a question whose answer is not shown.
 *
 * @returns `undefined` without a source
 * @throws StorectlError `usage.empty_secret`, `usage.no_such_file`, `usage.not_a_secret`, `usage.secret_on_terminal`
 */
export async function readSecret(
  {stdin, file, what, mayBeEmpty = false}: SecretSource,
  {source, prompts}: {readonly source: Source; readonly prompts: () => Prompts},
): Promise<string | undefined> {
  if (!stdin && file === undefined) return undefined
  const text = file === undefined ? await readFromStdin(source, prompts, what) : readFromFile(file, what)
  const secret = text.trim()
  if (secret === '' && !mayBeEmpty)
    throw createUsageError('empty_secret', `The ${what} is empty. Nothing was sent.`)
  if (secret.includes('\0'))
    throw createUsageError('not_a_secret', `The ${what} is not text: it contains a NUL character.`)
  if (secret.length > LONGEST) throw createUsageError('not_a_secret', `The ${what} is too long.`)
  return secret
}

async function readFromStdin(source: Source, prompts: () => Prompts, what: string): Promise<string> {
  if (source.isTerminal) return promptForSecret(prompts(), what)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of source.open()) {
    chunks.push(Buffer.from(chunk))
    size += chunk.length
    if (size > LONGEST) break
  }
  return decodeText(Buffer.concat(chunks))
}

/** Where questions are not possible, the terminal would echo the secret. */
function promptForSecret(prompts: Prompts, what: string): Promise<string> {
  if (prompts.possible) return prompts.askSecret(`${what}:`)
  throw createUsageError(
    'secret_on_terminal',
    `Cannot read the ${what}: stdin is a terminal, and storectl is not running interactively. Nothing was sent.`,
    ['printenv SECRET | storectl …', 'storectl … < FILE'],
  )
}

function readFromFile(file: string, what: string): string {
  const text = readTextIfThere(file)
  if (text !== undefined) return text
  throw new StorectlError('usage.no_such_file', `File not found: ${file} (the ${what}).`)
}
