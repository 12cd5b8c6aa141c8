import type {ScoredFilter} from '../model/criteria.js'
import type {EntityModel} from '../model/entities/entities.js'
import type {Entity, Field, Ranking} from '../model/entity.js'
import {decodeEntities} from './html-entities.js'

/** Shorter words of a term are dropped, unless that leaves none. @see protocol.md §6.7 */
const SHORTEST_WORD = 3

/** Further words are left out: each costs a condition on every ranked field, and a statement takes only so many. */
const MOST_WORDS = 30

interface Pattern {
  text: string
  weight: number
  /** Whether it is one word out of several. */
  isWord: boolean
}

/** What a term asks for: conditions on the ranked fields of the entity and of what is next to it, with their points. */
export function scoredFiltersOf(term: string, entity: Entity, model: EntityModel): ScoredFilter[] {
  const patterns = patternsOf(term)
  return rankedFields(entity, model).flatMap(({name, ranking, weight}) =>
    patterns
      .filter(({isWord}) => ranking.byWord || !isWord)
      .flatMap(({text, weight: share}): ScoredFilter[] => {
        const points = ranking.points * weight * share
        return [
          {filter: {type: 'equals', field: name, value: text}, points},
          {filter: {type: 'contains', field: name, value: text}, points: points / 2},
        ]
      }),
  )
}

interface RankedField {
  name: string
  ranking: Ranking
  weight: number
}

function rankedFields(entity: Entity, model: EntityModel): RankedField[] {
  const own = withRanking(entity.fields).map(({name, ranking}) => ({name, ranking, weight: 1}))
  const near = entity.associations.flatMap(({name, target, termWeight}) =>
    termWeight === undefined
      ? []
      : withRanking(model.get(target).fields).map(field => ({
          name: `${name}.${field.name}`,
          ranking: field.ranking,
          weight: termWeight,
        })),
  )
  return [...own, ...near]
}

function withRanking(fields: readonly Field[]): (Field & {ranking: Ranking})[] {
  return fields.filter((field): field is Field & {ranking: Ranking} => field.ranking !== undefined)
}

/** One word counts as it was typed; of several, each counts as well, by its share of the length. */
function patternsOf(term: string): Pattern[] {
  const words = wordsOf(term)
  const whole = {text: term, weight: 1, isWord: false}
  if (words.length <= 1) return [whole]
  const parts = words.map(text => ({text, weight: [...text].length / [...term].length, isWord: true}))
  return [whole, ...parts]
}

/** Lower case, letters and digits and `-_+.@` alone, each word once. */
function wordsOf(term: string): string[] {
  const plain = decodeEntities(term)
    .toLowerCase()
    .replace(/[/\\]/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/[^\p{L}\p{N}\-_+.@]/gu, ' ')
  const words = [...new Set(plain.split(' ').filter(word => word !== ''))]
  const long = words.filter(word => [...word].length >= SHORTEST_WORD)
  return (long.length > 0 ? long : words).slice(0, MOST_WORDS)
}
