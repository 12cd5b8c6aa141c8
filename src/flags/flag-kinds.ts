import * as Flags from '@oclif/core/flags'
import type {FlagInput} from '@oclif/core/interfaces'
import {createUsageError} from '../errors.js'

import {limitOf, parseDurationMs, parseMoment, parseShare} from '../language/quantities.js'

/** What definitions of flags parse to, so that a name and its type are written once. A flag that may be left out may be absent. */
export type ParsedFlags<Definitions> = Definitions extends FlagInput<infer Parsed> ? Given<Parsed> : never

type Given<Parsed> = {readonly [Name in Always<Parsed>]: Parsed[Name]} & {
  readonly [Name in Exclude<keyof Parsed, Always<Parsed>>]?: Parsed[Name]
}

type Always<Parsed> = {[Name in keyof Parsed]: undefined extends Parsed[Name] ? never : Name}[keyof Parsed]

/** A length of time: `500ms`, `30s`, `15m`, `2h`, `3d`, `1w`. Parsed to milliseconds. */
export const durationFlag = Flags.custom<number>({
  helpValue: '30s',
  parse: async text => parseDurationMs(text),
})

/** A moment: RFC 3339 with a zone, or a length of time before now. Parsed to a function of now. */
export const momentFlag = Flags.custom<(now: Date) => Date>({
  helpValue: 'TIME',
  parse: async text => parseMoment(text),
})

/** A limit: a whole number; `0` or `none` turn it off and parse to 0. */
export const limitFlag = Flags.custom<number>({
  helpValue: 'N|none',
  parse: async text => limitOf(text),
})

/** Starts per second: a number, `none` for no limit (parsed to 0), or `auto`. */
export const rateFlag = Flags.custom<number | 'auto'>({
  helpValue: 'N|auto|none',
  parse: async text => (text === 'auto' ? text : limitOf(text)),
})

/** Ordering keys in flight at once: a number from 1 to 64, or `auto`. */
export const concurrencyFlag = Flags.custom<number | 'auto'>({
  helpValue: 'N|auto',
  parse: async text => {
    if (text === 'auto') return text
    if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 64) return Number(text)
    throw createUsageError('limit', `"${text}" is no concurrency: write 1 to 64, or auto.`)
  },
})

/** A greatest age: a length of time; `0` or `none` turn it off and parse to 0. */
export const ageFlag = Flags.custom<number>({
  helpValue: '3d|none',
  parse: async text => (text === 'none' || text === '0' ? 0 : parseDurationMs(text)),
})

/** How long the effect of a call that was given up is looked for; 0 does not wait. */
export const createGracePeriodFlag = () =>
  ageFlag({
    description: 'Wait for effects of lost calls',
    helpGroup: 'SAFETY',
    helpValue: '60s',
    default: 60_000,
    defaultHelp: async () => '60s',
  })

/** A share: `20%`, above 0 and up to 100; `0` or `none` turn it off. Parsed to a number from 0 to 1. */
export const shareFlag = Flags.custom<number>({
  helpValue: 'P%|none',
  parse: async text => parseShare(text),
})

/** How many may fail before a run stops: a number, a share of all results (`5%`), or any (`none`). */
export const failureLimitFlag = Flags.custom<{maxFailures?: number; maxFailureShare?: number}>({
  helpValue: 'N|P%|none',
  parse: async text => {
    if (text === 'none') return {}
    return text.endsWith('%') ? {maxFailureShare: parseShare(text)} : {maxFailures: limitOf(text)}
  },
})

/** How the text of files is written, where they are neither UTF-8 nor UTF-16. Parsed to the encoding's standard name. */
export const encodingFlag = Flags.custom<string>({
  description: 'Encoding of the files, if neither UTF-8 nor UTF-16: windows-1252, macintosh, cp850, …',
  helpValue: 'NAME',
  parse: async text => (await import('../language/encodings.js')).parseEncoding(text),
})

/** A sales channel of the shop, by its id. */
export const salesChannelFlag = Flags.custom<string>({
  description: 'Only this sales channel, by id',
  helpGroup: 'SELECTION',
  helpValue: 'ID',
  parse: async text => {
    if (/^[0-9a-f]{32}$/i.test(text)) return text.toLowerCase()
    throw createUsageError(
      'sales_channel',
      `"${text}" is not a sales channel id: 32 digits from 0 to 9 and a to f.`,
    )
  },
})

/**
 * `--plan`, `--force` and `--apply` of a command whose plan is reviewed before it is carried out.
 *
 * @param described help of `--plan` and of `--apply`
 * @param ofThePlan flags that do not go with `--apply`, because the plan has what they say
 */
export function createPlanFlags(
  described: {readonly plan: string; readonly apply: string},
  ofThePlan: readonly string[],
) {
  const file = {helpGroup: 'SAFETY', helpValue: 'FILE'} as const
  return {
    plan: Flags.string({description: described.plan, ...file}),
    force: Flags.boolean({
      description: 'Overwrite the file of --plan',
      helpGroup: 'SAFETY',
      dependsOn: ['plan'],
    }),
    apply: Flags.string({description: described.apply, ...file, exclusive: ['plan', ...ofThePlan]}),
  }
}

/** Who is alerted to problems by a command that runs on. @param dependsOn the flag that has it run on */
export function createAlertFlags(dependsOn: readonly string[] = []) {
  const given = {helpGroup: 'SAFETY', dependsOn: [...dependsOn]}
  return {
    'on-problem': Flags.string({
      description: 'Run COMMAND on a problem: help unattended',
      helpValue: 'COMMAND',
      ...given,
    }),
    notify: Flags.string({
      description: 'POST problems to URL (or STORECTL_NOTIFY_URL)',
      helpValue: 'URL',
      ...given,
    }),
    'notify-format': Flags.option({
      options: ['json', 'slack'] as const,
      description: 'What is posted (default json)',
      helpValue: 'FORMAT',
      ...given,
    })(),
    'away-after': durationFlag({
      description: 'Away for so long is a problem (default 15m)',
      ...given,
      helpValue: '15m',
    }),
  }
}

export type AlertFlags = ParsedFlags<ReturnType<typeof createAlertFlags>>
