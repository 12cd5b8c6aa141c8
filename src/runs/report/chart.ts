import {html} from './escape.js'
import type {Timeline} from './timeline.js'

const HEIGHT = 100
const WIDTH = 10

/** Shades of one grade; the fourth outcome of a grade looks like its third. */
const SHADES = 3

/** Class that colours an outcome, by its place among those of the same grade. */
export function shadeOf({outcomes}: Timeline, index: number): string {
  const grade = outcomes[index]?.grade
  const before = outcomes.slice(0, index).filter(each => each.grade === grade).length
  return `${grade}-${Math.min(before, SHADES - 1)}`
}

/** The timeline as stacked bars, in SVG; each step has the times that it holds, for whoever filters by it. */
export function chart(timeline: Timeline): string {
  const {steps} = timeline
  const highest = Math.max(1, ...steps.map(total))
  const bars = steps.map((_, step) => bar(timeline, step, highest)).join('')
  const box = `0 0 ${steps.length * WIDTH} ${HEIGHT}`
  return `<svg class="chart" viewBox="${box}" preserveAspectRatio="none" role="img" aria-label="Results over time">${bars}</svg>\n`
}

function bar(timeline: Timeline, step: number, highest: number): string {
  const {from, stepMs, steps, outcomes} = timeline
  const counts = steps[step] ?? []
  const [begin, end] = [step, step + 1].map(at => from.getTime() + at * stepMs) as [number, number]
  const x = step * WIDTH
  let top = HEIGHT
  const parts = counts.map((count, index) => {
    const height = (count / highest) * HEIGHT
    top -= height
    return count === 0
      ? ''
      : `<rect class="${shadeOf(timeline, index)}" x="${x + 1}" y="${top.toFixed(2)}" width="${WIDTH - 2}" height="${height.toFixed(2)}"/>`
  })
  const said = outcomes.flatMap(({name}, index) => (counts[index] ? [`${counts[index]} ${name}`] : []))
  const title = html([new Date(begin).toISOString(), ...said].join('\n'))
  // The first and the last step also hold what a clock that was set put outside.
  const since = step === 0 ? 0 : begin
  const until = step === steps.length - 1 ? Number.MAX_SAFE_INTEGER : end
  const hit = `<rect class="hit" x="${x}" y="0" width="${WIDTH}" height="${HEIGHT}"/>`
  return `<g class="step" data-from="${since}" data-to="${until}"><title>${title}</title>${hit}${parts.join('')}</g>`
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
