import type {Command} from '@oclif/core/command'
import type {About, Manifest, Program} from '../manifest/manifest.js'
import {firstExamples} from './examples.js'
import {definitions, type Paper, page, section, wrap} from './help-layout.js'

type Commands = Manifest['commands']

/** What a newcomer types first, in this order. */
const FIRST = ['login', 'webhook:list', 'webhook:replay', 'order:submit', 'customer:search']

/** What `storectl` alone prints: how to begin, and every command there is. */
export function rootHelp({description, version}: About, commands: Commands, paper: Paper): string {
  return page([
    section('EXAMPLES', firstExamples(FIRST.flatMap(id => commands[id] ?? [])), paper),
    section('ABOUT', wrap(`storectl ${version}: ${description}`, paper.columns - 2), paper),
    section('USAGE', ['$ storectl COMMAND [flags]'], paper),
    section('COMMANDS', definitions(commandRows(Object.values(commands)), paper), paper),
    section(
      'LEARN MORE',
      ['storectl COMMAND --help', 'storectl help exit-codes', 'storectl help environment'],
      paper,
    ),
  ])
}

/** The commands below a topic. */
export function topicHelp(
  words: readonly string[],
  {about}: Program,
  commands: Commands,
  paper: Paper,
): string {
  const prefix = `${words.join(':')}:`
  const below = Object.values(commands).filter(command => command.id.startsWith(prefix))
  const typed = `storectl ${words.join(' ')}`
  const description = about.oclif.topics?.[words.join(':')]?.description ?? ''
  return page([
    section('EXAMPLES', firstExamples(below), paper),
    description && section('ABOUT', wrap(description, paper.columns - 2), paper),
    section('USAGE', [`$ ${typed} COMMAND [flags]`], paper),
    section('COMMANDS', definitions(commandRows(below), paper), paper),
    section('LEARN MORE', [`${typed} COMMAND --help`, 'storectl help exit-codes'], paper),
  ])
}

function commandRows(commands: readonly Command.Cached[]): [string, string][] {
  return commands
    .filter(command => !command.hidden)
    .map(command => [command.id.replaceAll(':', ' '), firstLine(command.summary ?? command.description)])
}

function firstLine(text = ''): string {
  return text.split('\n')[0] ?? ''
}
