import {readFileSync} from 'node:fs'
import {join} from 'node:path'

/** The text below a heading of the second level, up to the next one. */
export function readSection(page: string, heading: string): string {
  const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8')
  const [, section] = text.split(`\n## ${heading}\n`)
  if (section === undefined) throw new Error(`${page} has no section "${heading}"`)
  return section.split('\n## ')[0] ?? ''
}

/** The numbered steps of a section, in order, without their numbers. */
export function readSteps(page: string, heading: string): string[] {
  return [...readSection(page, heading).matchAll(/^\d+\. (.*)$/gm)].map(([, step = '']) => step)
}
