import * as Flags from '@oclif/core/flags'

const SELECTION = {helpGroup: 'SELECTION'} as const

/** A condition that rows of a list must meet. */
export const whereFlag = Flags.custom<string>({
  description: 'Condition on any field',
  helpValue: 'EXPR',
  ...SELECTION,
})

/** Flags that order and limit a list. @param rows what it lists: `orders` */
export function createListFlags(rows: string) {
  return {
    sort: Flags.string({description: 'Sort by this field', helpValue: 'FIELD[:desc]', ...SELECTION}),
    limit: Flags.integer({
      description: `Max ${rows} (default 25; on a terminal, its height)`,
      min: 1,
      exclusive: ['all'],
      ...SELECTION,
    }),
    all: Flags.boolean({description: `Stream all ${rows}`, ...SELECTION}),
  }
}
