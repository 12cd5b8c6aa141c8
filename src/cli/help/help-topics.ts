/** Pages of `storectl help` beside those of commands, and what each is about, in the order to list them. */
export const HELP_TOPICS = {
  time: 'Times and durations',
  where: 'Conditions of --where',
  causes: 'Why events failed, and what helps',
  fields: 'Fields that --fields can print',
  files: 'Files that commands read',
  unattended: 'Capture and watch as services, units included',
  schema: 'JSON Schemas of what scripts read',
  stability: 'What later versions keep',
  flags: 'Global flags',
  'exit-codes': 'Exit codes',
  environment: 'Environment variables',
} as const

export type HelpTopic = keyof typeof HELP_TOPICS

/** Whether a word is one of them. */
export function isHelpTopic(word: string): word is HelpTopic {
  return Object.hasOwn(HELP_TOPICS, word)
}
