import type {Command} from '@oclif/core/command'

/**
 * A command's examples as they are typed, each behind `$ `; what one is for stands above it as a comment, so that both
 * can be pasted.
 */
export function exampleLines({id, examples = []}: Command.Cached): string[] {
  const given = Array.isArray(examples) ? examples : [examples]
  return given.flatMap(example =>
    typeof example === 'string'
      ? typed(example, id)
      : [`# ${example.description}`, ...typed(example.command, id)],
  )
}

/** The first thing to type for each of these commands. */
export function firstExamples(commands: readonly Command.Cached[]): string[] {
  return commands.flatMap(command => {
    const first = exampleLines(command).find(line => line.startsWith('$ '))
    return first === undefined || command.hidden ? [] : [first]
  })
}

function typed(example: string, id: string): string[] {
  return example
    .replaceAll(/<%= *config\.bin *%>/g, 'storectl')
    .replaceAll(/<%= *command\.id *%>/g, id.replaceAll(':', ' '))
    .split('\n')
    .map(line => line.replace(/^(\$ )?(?=storectl |.*\| storectl )/, '$ '))
}
