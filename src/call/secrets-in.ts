import type {Wanted} from './call.js'

const SECRET = /secret|passw|token|api-?_?key|access-?_?key|credential|auth|cookie|signature/i

/**
 * What is a secret by its name among the words of a call: fields, parts of the query, headers. Whoever typed them showed
 * them to the machine already; they come out again nowhere.
 */
export function secretsIn({
  path,
  fields,
  texts,
  headers,
}: Pick<Wanted, 'path' | 'fields' | 'texts' | 'headers'>): string[] {
  const [, query = ''] = path.split(/\?(.*)/s)
  const words = [...fields, ...texts, ...query.split('&').map(readable)]
  return [...words.flatMap(word => behind(word, '=')), ...headers.flatMap(word => behind(word, ':'))]
}

function behind(word: string, sign: string): string[] {
  const at = word.indexOf(sign)
  return at > 0 && SECRET.test(word.slice(0, at)) ? [word.slice(at + 1).trim()] : []
}

function readable(pair: string): string {
  try {
    return decodeURIComponent(pair.replaceAll('+', ' '))
  } catch {
    return pair
  }
}
