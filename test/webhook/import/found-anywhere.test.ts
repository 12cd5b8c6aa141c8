import {expect, test} from 'vitest'
import {currentTime} from '../../support/clock.js'
import {sized} from '../../support/sized.js'
import {type DrawnFile, drawFile, encodeFile, listHidden} from './draw-file.js'
import {compactJson, readAll} from './reading.js'

const SEEDS = sized(300, 10_000)

/** Files with a failure are reduced and shown; the first say enough. */
const MOST_SHOWN = 3

interface Loss {
  readonly kind: 'lost' | 'invented' | 'fault'
  readonly what: string
}

/** What is wrong with how a file is read; `undefined` for nothing. */
async function findLoss(file: DrawnFile): Promise<Loss | undefined> {
  const {bodies, faults} = await readAll(encodeFile(file), {pieceBytes: file.pieceBytes})
  const hidden = listHidden(file)
  const marked = new Set(hidden.filter(({isMarked}) => isMarked).map(({body}) => body))
  const found = bodies.map(body => (marked.has(compactJson(body)) ? compactJson(body) : body))
  const wanted = hidden.map(({body}) => body)
  const lost = wanted.filter(body => !found.includes(body))
  const invented = found.filter((body, at) => !wanted.includes(body) || found.indexOf(body) !== at)
  if (lost.length + invented.length > 0)
    return {
      kind: lost.length > 0 ? 'lost' : 'invented',
      what: `lost ${show(lost)}, invented ${show(invented)}`,
    }
  const [fault] = file.parts.some(({mayBeFault}) => mayBeFault) ? [] : faults
  return fault && {kind: 'fault', what: `line ${fault.line} is no fault: ${fault.why}`}
}

const show = (bodies: readonly string[]) => `${bodies.length} (${bodies[0]?.slice(0, 200) ?? ''})`

/** The same file with as little in it as still fails. */
async function reduce(file: DrawnFile, {kind}: Loss): Promise<DrawnFile> {
  let smallest = file
  const attempt = async (less: DrawnFile) => {
    if (listHidden(less).length === 0 || (await findLoss(less))?.kind !== kind) return false
    smallest = less
    return true
  }
  await attempt({...smallest, encoding: 'utf8'})
  await attempt({...smallest, pieceBytes: 1 << 20})
  for (let at = 0; at < smallest.parts.length; )
    if (!(await attempt({...smallest, parts: smallest.parts.toSpliced(at, 1)}))) at++
  return smallest
}

async function findLosses(first: number, count: number): Promise<string[]> {
  const losses: string[] = []
  for (let seed = first; seed < first + count && losses.length < MOST_SHOWN; seed++) {
    const file = drawFile(seed)
    const loss = await findLoss(file)
    if (!loss) continue
    const small = await reduce(file, loss)
    const text = (small.header + small.parts.map(part => part.text).join('')).slice(0, 3000)
    const {what} = (await findLoss(small)) ?? loss
    losses.push(`seed ${seed} (${small.encoding}, pieces of ${small.pieceBytes}): ${what}\n${text}`)
  }
  return losses
}

test('no event of a file is lost and none is invented, whatever is around it', async () => {
  const losses = await findLosses(0, SEEDS)
  expect(losses, losses.join('\n\n')).toEqual([])
})

test('nor in files of the day', async () => {
  const day = Math.floor(currentTime().getTime() / 86_400_000)
  const losses = await findLosses(day * 1000, sized(50, 1000))
  expect(losses, losses.join('\n\n')).toEqual([])
})

test('the files differ: every encoding, events in the open, in marked lines, and more than 64 in a line', () => {
  const files = Array.from({length: 300}, (_, seed) => drawFile(seed))
  expect(new Set(files.map(({encoding}) => encoding)).size).toBe(6)
  const parts = files.flatMap(file => file.parts)
  expect(parts.some(({events}) => events.length > 64)).toBe(true)
  expect(parts.some(({events}) => events.some(({isMarked}) => isMarked))).toBe(true)
  expect(files.flatMap(listHidden).length).toBeGreaterThan(1000)
  for (const {body} of files.flatMap(listHidden)) JSON.parse(body)
})
