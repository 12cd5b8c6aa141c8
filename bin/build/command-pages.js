'use strict'

/** Columns of a page's help texts. */
const WIDTH = 100

/**
 * The pages of docs/commands by their names: a page a topic with the help of its commands, and README.md with the topics
 * and the flags that commands share.
 *
 * @param renderHelpPages of the built command line: a manifest and a width to help texts by the words that ask for them
 * @param manifest `oclif.manifest.json`
 * @param about the member `oclif` of package.json: what each topic is for
 */
exports.makeCommandPages = async (renderHelpPages, manifest, about) => {
  const commands = Object.values(manifest.commands).filter(({hidden}) => !hidden)
  const output = findOutputFlags(commands)
  const isOutput = flag => flag.helpGroup === 'OUTPUT' && output.includes(flag.name)
  const isGlobal = flag => flag.helpGroup === 'GLOBAL'
  const render = async isShared => stripBold(await renderHelpPages(regroup(manifest, isShared), WIDTH))
  const own = await render(flag => isGlobal(flag) || isOutput(flag))
  const [globalFlags, outputFlags] = [(await render(isGlobal)).flags, (await render(isOutput)).flags]

  const topics = [...new Set(commands.map(({id}) => id.split(':')[0]))].sort()
  const describe = topic => about.topics[topic]?.description ?? manifest.commands[topic].summary
  const pages = topics.map(topic => {
    const below = commands.filter(({id}) => id.split(':')[0] === topic)
    const parts = below.map(command =>
      renderCommand(command, own, Object.values(command.flags).some(isOutput)),
    )
    return [
      `${topic}.md`,
      `# storectl ${topic}\n\n${describe(topic)}.\n\n${linkCommands(below)}${parts.join('\n')}`,
    ]
  })
  const list = topics.map(topic => `- [${topic}](${topic}.md): ${describe(topic)}\n`).join('')
  return new Map([...pages, ['README.md', renderIndex(list, takeFlags(globalFlags), takeFlags(outputFlags))]])
}

/** Names of the flags that all commands with a result take. */
function findOutputFlags(commands) {
  const taken = commands
    .filter(({flags}) => flags.output)
    .map(({flags}) => Object.values(flags).filter(({helpGroup}) => helpGroup === 'OUTPUT'))
  return taken[0]
    .map(({name}) => name)
    .filter(name => taken.every(flags => flags.some(flag => flag.name === name)))
}

/** The manifest with these flags alone among those of every command, which help leaves to a page of its own. */
function regroup(manifest, isShared) {
  const group = flag => (isShared(flag) ? 'GLOBAL' : flag.helpGroup === 'GLOBAL' ? undefined : flag.helpGroup)
  const commands = Object.entries(manifest.commands).map(([id, command]) => {
    const flags = Object.entries(command.flags).map(([name, flag]) => [
      name,
      {...flag, helpGroup: group(flag)},
    ])
    return [id, {...command, flags: Object.fromEntries(flags)}]
  })
  return {...manifest, commands: Object.fromEntries(commands)}
}

function stripBold(pages) {
  const esc = String.fromCharCode(27)
  const plain = text =>
    text.replaceAll(`${esc}[1m`, '').replaceAll(`${esc}[22m`, '').replaceAll(`${esc}[0m`, '')
  return Object.fromEntries(Object.entries(pages).map(([name, text]) => [name, plain(text)]))
}

/** Where several commands share a page: a link to each. */
function linkCommands(commands) {
  if (commands.length === 1) return ''
  const links = commands.map(({id}) => {
    const [, ...words] = id.split(':')
    return `[${words.join(' ')}](#${id.replaceAll(':', '-')})`
  })
  return `${links.join(' · ')}\n\n`
}

/** A command's help but for its last line, which names the page of the flags that every command takes. */
function renderCommand({id}, pages, hasOutput) {
  const name = id.replaceAll(':', ' ')
  const help = pages[name].slice(0, pages[name].lastIndexOf('\n\n'))
  const links = ['[global flags](README.md#global-flags)', '[output flags](README.md#output-flags)']
  return `## ${name}\n\n\`\`\`\n${help}\n\`\`\`\n\nAnd: ${links.slice(0, hasOutput ? 2 : 1).join(', ')}\n`
}

/** The rows of the one list of flags on a help page. */
function takeFlags(page) {
  const [, rows = ''] = /^GLOBAL FLAGS\n([\s\S]*?)\n(?:\n|$)/m.exec(page) ?? []
  return rows
}

function renderIndex(topics, globalFlags, outputFlags) {
  return `# Commands

${topics}
Exit codes: \`storectl help exit-codes\`. Variables: \`storectl help environment\`.

## Global flags

Every command takes these flags, before or after its name. Settings and variables can replace most.

\`\`\`
${globalFlags}
\`\`\`

## Output flags

Every command that prints a result takes these.

\`\`\`
${outputFlags}
\`\`\`

Written by \`npm run build\` from what the commands declare.
`
}
