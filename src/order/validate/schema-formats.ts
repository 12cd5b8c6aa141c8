import type {Ajv} from 'ajv'
import addFormats from 'ajv-formats'

/** What browsers and proxies take. */
const LONGEST_URL = 2048

/** Names of a user and a password are looked for once, not once for each colon. */
const USER = String.raw`(?:\S+(?::\S*)?@)?`
const SHORT_USER = String.raw`(?:\S+@)?`

// Its types describe the module, but the import is the function.
const formats = addFormats as unknown as typeof addFormats.default

/** The formats that schemas name. The pattern of `url` takes cubic time: it is used only for texts that may match. */
export function addLinearFormats(validator: Ajv): void {
  formats(validator)
  const {source, flags} = formats.get('url') as RegExp
  const url = new RegExp(source.replace(USER, SHORT_USER), flags)
  validator.addFormat('url', text => text.length <= LONGEST_URL && url.test(text))
}
