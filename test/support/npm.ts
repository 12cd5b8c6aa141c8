import process from 'node:process'

/** The environment of an npm that was started by hand: without what the npm that runs these tests was told. */
export function environmentOfNpm(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  return Object.fromEntries(entries) as Record<string, string>
}
