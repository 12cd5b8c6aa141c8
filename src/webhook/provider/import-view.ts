import type {View} from '../../output/view.js'
import type {FromProvider, Gap} from './provider-import.js'

export const IMPORTED: View = {
  noun: ['import', 'imports'],
  id: 'added',
  columns: [
    {path: 'added', kind: 'number'},
    {path: 'known', kind: 'number'},
    {path: 'conflicting', kind: 'number'},
    {path: 'unusable', kind: 'number'},
    {path: 'passedOver', header: 'PASSED OVER', kind: 'number'},
  ],
}

/** An import from the provider, as it is printed; times of gaps are UTC. */
export function toFromProviderRow({gaps, ...imported}: FromProvider) {
  const toGapRow = ({since, until, why}: Gap) => ({
    since: since.toISOString(),
    until: until.toISOString(),
    why,
  })
  return {...imported, gaps: gaps.map(toGapRow)}
}

/** `missing: 2026-11-20T08:00:00.000Z to 2026-11-20T09:00:00.000Z: …` */
export function describeGap({since, until, why, isCertain}: Gap): string {
  return `${isCertain ? 'missing' : 'may be missing'}: ${since.toISOString()} to ${until.toISOString()}: ${why}`
}
