import {formatCount} from '../../../output/cell.js'
import {escapeHtml} from '../../../output/escape-html.js'
import {formatStep, type Timeline} from '../timeline.js'

const HEIGHT = 100
const WIDTH = 10

/** Shades of one resultClass; the fourth result of a resultClass looks like its third. */
const SHADES = 3

/** The CSS class that colours a result, by its index among those of the same resultClass. */
function selectShade({results}: Timeline, index: number): string {
  const resultClass = results[index]?.resultClass
  const before = results.slice(0, index).filter(each => each.resultClass === resultClass).length
  return `${resultClass}-${Math.min(before, SHADES - 1)}`
}

/** The timeline as a figure: stacked bars with their scale, the times below them, and what the colours mean. */
export function renderChart(timeline: Timeline): string {
  const {stepMs, steps, results} = timeline
  if (results.length === 0) return '<p>No result yet.</p>\n'
  const highest = findScale(timeline)
  const isCut = steps.some(counts => sumCounts(counts) > highest)
  const bars = steps.map((_, step) => renderBar(timeline, step, highest)).join('')
  const width = steps.length * WIDTH
  const length = formatStep(stepMs)
  const isEven = highest % 2 === 0
  const half = !isEven
    ? ''
    : `<line class="grid" x1="0" x2="${width}" y1="${HEIGHT / 2}" y2="${HEIGHT / 2}"/>`
  return `<figure class="timeline">
<figcaption>Results per ${length}: one bar is ${length}, ${isCut ? `the scale ends at ${formatCount(highest)}, the most sent in one bar; held results may go beyond it` : `the highest has ${formatCount(highest)}`}. Times are UTC.</figcaption>
<div class="plot">
<div class="scale" aria-hidden="true"><span>${formatCount(highest)}</span>${isEven ? `<span>${formatCount(highest / 2)}</span>` : ''}<span>0</span></div>
<svg class="chart" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="group" aria-label="Results per ${length}; a bar filters the results below">${half}${bars}</svg>
</div>
<div class="axis" aria-hidden="true">${listTicks(timeline)}</div>
${renderLegend(timeline)}</figure>
`
}

/** The first time in full, the others by their clock; with a day where the run has more than one. */
function listTicks({from, stepMs, steps}: Timeline): string {
  const lengthMs = stepMs * steps.length
  // Bars of less than a second need tenths.
  const end = stepMs < 1000 ? 21 : 19
  const texts = [0, 0.5, 1].map(share => new Date(from.getTime() + lengthMs * share).toISOString())
  const isOneDay = texts[0]?.slice(0, 10) === texts[2]?.slice(0, 10)
  const shorten = (text: string) =>
    isOneDay ? text.slice(11, end) : `${text.slice(5, 10)} ${text.slice(11, 16)}`
  return texts
    .map(
      (text, index) =>
        `<span>${index === 0 ? `${text.slice(0, 10)} ${text.slice(11, end)}` : shorten(text)}</span>`,
    )
    .join('')
}

function renderLegend(timeline: Timeline): string {
  const entries = timeline.results.map(({name, count}, index) => {
    const swatch = `<svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect class="${selectShade(timeline, index)}" width="1" height="1"/></svg>`
    return `<li>${swatch} ${escapeHtml(name)} ${formatCount(count)}</li>`
  })
  return `<ul class="legend">${entries.join('')}</ul>\n`
}

function renderBar(timeline: Timeline, step: number, highest: number): string {
  const {from, stepMs, steps, results} = timeline
  const counts = steps[step] ?? []
  const [begin, end] = [step, step + 1].map(at => from.getTime() + at * stepMs) as [number, number]
  const x = step * WIDTH
  let top = HEIGHT
  const parts = counts.map((count, index) => {
    const height = Math.min(top, (count / highest) * HEIGHT)
    top -= height
    return count === 0
      ? ''
      : `<rect class="${selectShade(timeline, index)}" x="${x + 1}" y="${top.toFixed(2)}" width="${WIDTH - 2}" height="${height.toFixed(2)}"/>`
  })
  const counted = results.flatMap(({name}, index) => (counts[index] ? [`${counts[index]} ${name}`] : []))
  const title = escapeHtml([new Date(begin).toISOString(), counted.join(', ') || 'no result'].join(': '))
  // The first and the last step also contain results that a changed clock put outside.
  const since = step === 0 ? 0 : begin
  const until = step === steps.length - 1 ? Number.MAX_SAFE_INTEGER : end
  const hit = `<rect class="hit" x="${x}" y="0" width="${WIDTH}" height="${HEIGHT}"/>`
  return `<g class="step" role="button" tabindex="${step === 0 ? 0 : -1}" aria-pressed="false" aria-label="${title}" data-from="${since}" data-to="${until}"><title>${title}</title>${hit}${parts.join('')}</g>`
}

/** The most items sent in a step: items held all at once would make the other bars too low to see. */
function findScale({steps, results}: Timeline): number {
  const isSent = results.map(({resultClass}) => resultClass !== 'held')
  const highest = Math.max(0, ...steps.map(counts => sumCounts(counts.filter((_, index) => isSent[index]))))
  return highest > 0 ? highest : Math.max(1, ...steps.map(sumCounts))
}

function sumCounts(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
