import {cutTags} from '../../language/cut-tags.js'
import type {EntityCriteria, ScoredFilter} from '../../shopware/criteria.js'
import type {ShopEdition} from '../../shopware/editions.js'
import {findModel} from '../../shopware/entities/entities.js'
import type {Entity, Field, Ranking} from '../../shopware/entity.js'

/** Most words: each costs a condition on every ranked field, and a statement is limited. */
const MOST_WORDS = 30

interface Pattern {
  text: string
  weight: number
  isWord: boolean
}

/** The scored conditions of a search: those of its term, and its own scored filters. */
export function buildTermFilters(
  {term, queries}: Pick<EntityCriteria, 'term' | 'queries'>,
  entity: Entity,
  {shortestWord}: Pick<ShopEdition, 'shortestWord'>,
): ScoredFilter[] {
  return [...(term === undefined ? [] : buildTermPatterns(term, entity, shortestWord)), ...queries]
}

/** Conditions on the ranked fields of the entity and of its associations, with their scores. */
function buildTermPatterns(term: string, entity: Entity, shortestWord: number): ScoredFilter[] {
  const patterns = buildPatterns(term, shortestWord)
  return listRankedFields(entity).flatMap(({name, ranking, weight}) =>
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

function listRankedFields(entity: Entity): RankedField[] {
  const own = selectRankedFields(entity.fields).map(({name, ranking}) => ({name, ranking, weight: 1}))
  const near = entity.associations.flatMap(({name, target, termWeight}) =>
    termWeight === undefined
      ? []
      : selectRankedFields(findModel(entity).get(target).fields).map(field => ({
          name: `${name}.${field.name}`,
          ranking: field.ranking,
          weight: termWeight,
        })),
  )
  return [...own, ...near]
}

function selectRankedFields(fields: readonly Field[]): (Field & {ranking: Ranking})[] {
  return fields.filter((field): field is Field & {ranking: Ranking} => field.ranking !== undefined)
}

/** A single word counts as typed; of several, each also counts, by its share of the length. */
function buildPatterns(term: string, shortestWord: number): Pattern[] {
  const words = splitWords(term, shortestWord)
  const whole = {text: term, weight: 1, isWord: false}
  if (words.length <= 1) return [whole]
  const parts = words.map(text => ({text, weight: [...text].length / [...term].length, isWord: true}))
  return [whole, ...parts]
}

/** Splits into words: lower case, only letters, digits and `-_+.@`, each word once. */
function splitWords(term: string, shortestWord: number): string[] {
  const written = decodeEntities(term).toLowerCase().replace(/[/\\]/g, ' ')
  const plain = cutTags(written, '').replace(/[^\p{L}\p{N}\-_+.@]/gu, ' ')
  const words = [...new Set(plain.split(' ').filter(word => word !== ''))]
  const long = words.filter(word => [...word].length >= shortestWord)
  return (long.length > 0 ? long : words).slice(0, MOST_WORDS)
}

/** Entity names of U+00A0 to U+00FF, in order. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

/** Entity names of U+03B1 to U+03C9, in order; those of capital letters begin with a capital. */
const GREEK =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega'

const OTHERS =
  'amp:& lt:< gt:> quot:" OElig:Œ oelig:œ Scaron:Š scaron:š Yuml:Ÿ fnof:ƒ thetasym:ϑ upsih:ϒ piv:ϖ image:ℑ weierp:℘ real:ℜ alefsym:ℵ'

/** Characters that are not part of words, and so equal spaces. */
const SIGNS =
  'circ tilde ensp emsp thinsp zwnj zwj lrm rlm ndash mdash lsquo rsquo sbquo ldquo rdquo bdquo dagger Dagger permil lsaquo rsaquo euro bull hellip prime Prime oline frasl trade larr uarr rarr darr harr crarr lArr uArr rArr dArr hArr forall part exist empty nabla isin notin ni prod sum minus lowast radic prop infin ang and or cap cup int there4 sim cong asymp ne equiv le ge sub sup nsub sube supe oplus otimes perp sdot lceil rceil lfloor rfloor lang rang loz spades clubs hearts diams'

const NAMED = buildNamedEntities()

/** Decodes the entities of HTML 4. Characters that are not part of words become spaces, unknown entities stay. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,8}));/g,
    (whole, ...parts) => {
      const [decimal, hex, name] = parts as (string | undefined)[]
      if (name !== undefined) return NAMED.get(name) ?? whole
      const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}

function buildNamedEntities(): ReadonlyMap<string, string> {
  const latin = LATIN.split(' ').map((name, index) => [name, String.fromCharCode(0xa0 + index)] as const)
  const greek = GREEK.split(' ').flatMap((name, index) => {
    const letter = String.fromCharCode(0x3b1 + index)
    const capital = `${name[0]?.toUpperCase()}${name.slice(1)}`
    return [[name, letter] as const, ...(name === 'sigmaf' ? [] : [[capital, letter.toUpperCase()] as const])]
  })
  const others = OTHERS.split(' ').map(pair => [pair.slice(0, -2), pair.slice(-1)] as const)
  const signs = SIGNS.split(' ').map(name => [name, ' '] as const)
  return new Map([...latin, ...greek, ...others, ...signs])
}
