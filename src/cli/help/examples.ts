import type {Command} from '@oclif/core/command'

/**
 * A command's examples as they are typed, each behind `$ `; what one is for stands above it as a comment, so that both
 * can be pasted.
 */
export function exampleLines({id, examples = []}: Command.Cached): string[] {
  const given = Array.isArray(examples) ? examples : [examples]
  return given.flatMap(example =>
    typeof example === 'string'
      ? filled(example, id).map(line => (line.includes('storectl ') ? typed(line) : comment(line)))
      : [...filled(example.description, id).map(comment), ...filled(example.command, id).map(typed)],
  )
}

/** The first thing to type for each of these commands. */
export function firstExamples(commands: readonly Command.Cached[]): string[] {
  return commands.flatMap(command => {
    const first = exampleLines(command).find(line => line.startsWith('$ '))
    return first === undefined || command.hidden ? [] : [first]
  })
}

/** The lines of an example, with oclif's placeholders filled in. */
function filled(example: string, id: string): string[] {
  return example
    .replaceAll(/<%= *config\.bin *%>/g, 'storectl')
    .replaceAll(/<%= *command\.id *%>/g, id.replaceAll(':', ' '))
    .split('\n')
}

/** Lines that are indented go on from the one above. */
function typed(line: string): string {
  return /^(\$| )/.test(line) ? line : `$ ${line}`
}

function comment(line: string): string {
  return line.startsWith('#') ? line : `# ${line}`
}
