import {spawn} from 'node:child_process'
import {fileURLToPath} from 'node:url'

const binary = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const color = process.stdout.isTTY && !process.env.NO_COLOR
const bold = text => (color ? `\u001b[1m${text}\u001b[0m` : text)
const dim = text => (color ? `\u001b[2m${text}\u001b[0m` : text)

/** What happens, told between the commands. */
export function say(text) {
  process.stdout.write(`\n${dim(text.replace(/^/gm, '# '))}\n`)
}

/** A shell of our own: every command is shown, run by the built binary, and held against what it should do. */
export class Terminal {
  constructor(env, folder) {
    this.env = env
    this.folder = folder
  }

  /**
   * Types a command and shows what comes of it.
   *
   * @param words what stands after `storectl`
   * @param expected `exit`, and text that must be found in what is printed
   * @param options `shown`: the command as a person types it; `lines`: how much of the output to show; `stdin`
   */
  async type(words, {exit = 0, find = []} = {}, {shown, lines = 14, stdin} = {}) {
    process.stdout.write(`\n${bold(`$ ${shown ?? `storectl ${words.map(quoted).join(' ')}`}`)}\n`)
    const ended = await this.run(words, stdin)
    const said = ended.stdout + ended.stderr
    process.stdout.write(shortened(ended.stdout, lines) + ended.stderr)
    if (exit !== 0) process.stdout.write(dim(`(exit ${ended.exit})\n`))
    if (ended.exit !== exit) throw new Error(`expected exit ${exit}, got ${ended.exit}:\n${said}`)
    for (const text of find) {
      if (!(text instanceof RegExp ? text.test(said) : said.includes(text))) {
        throw new Error(`expected ${text} in:\n${said}`)
      }
    }
    return ended
  }

  /** Runs a command without showing it. */
  run(words, stdin = '') {
    const child = spawn(process.execPath, [binary, ...words], {env: this.env, cwd: this.folder})
    const out = []
    const err = []
    child.stdout.on('data', chunk => out.push(chunk))
    child.stderr.on('data', chunk => err.push(chunk))
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin)
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', code =>
        resolve({exit: code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString()}),
      )
    })
  }

  /** Starts the bundled server; resolves to the process and the line that it announces itself with. */
  async serve(words) {
    process.stdout.write(`\n${bold(`$ storectl ${words.map(quoted).join(' ')} &`)}\n`)
    const child = spawn(process.execPath, [binary, ...words, '-o', 'json'], {
      env: this.env,
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    for await (const chunk of child.stdout) {
      const started = JSON.parse(chunk.toString().split('\n')[0])
      process.stdout.write(`the shop listens at ${started.url}\n`)
      return {child, started}
    }
    throw new Error('the server ended before it listened')
  }
}

function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function shortened(text, lines) {
  const all = text.split('\n')
  if (all.length <= lines + 1) return text
  return `${all.slice(0, lines).join('\n')}\n${dim(`… ${all.length - lines - 1} more lines`)}\n`
}
