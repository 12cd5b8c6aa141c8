import {findNearest} from '../../language/nearest-word.js'
import {COUNTRY_CODES, CURRENCIES} from '../../wire/fulfillment-order/codes.js'
import {listDateReadings, MARKS, parseCellNumber} from '../draft/cell-values.js'

/** Suggests what a wrong value most likely meant: the nearest choice, a country's code, the date in the right form. */
export class Hints {
  #countries: CountryHints | undefined
  #currencies: CurrencyHints | undefined

  /** @returns the message, with a suggestion if there is one */
  addHint(message: string, got: unknown): string {
    if (
      (typeof got !== 'string' && typeof got !== 'number') ||
      got === '' ||
      /did you mean|in capitals/.test(message)
    )
      return message
    const meant = this.#findMeant(message, String(got))
    return meant === undefined || meant === got ? message : `${message}; did you mean ${meant}?`
  }

  #findMeant(message: string, got: string): string | undefined {
    const text = got.trim()
    // It would be looked for among hundreds of names.
    if (text.length > LONGEST) return undefined
    if (message.startsWith('must be a country code')) {
      this.#countries ??= new CountryHints()
      return this.#countries.suggest(text)
    }
    if (message.startsWith('must be a currency code')) {
      this.#currencies ??= new CurrencyHints()
      return this.#currencies.suggest(text)
    }
    if (message.startsWith('must be one of ')) return findNearChoice(message, text)
    if (message.startsWith('must be true or false')) return suggestBoolean(text)
    if (message.startsWith('must be a whole number')) return suggestWholeNumber(text)
    if (message.startsWith('must be a decimal')) return quoteText(suggestDecimal(text))
    if (message.startsWith('must be a real date'))
      return suggestAll(listDateReadings(text).map(date => date.slice(0, 10)))
    if (message.startsWith('must be a date and time')) return suggestAll(listDateReadings(text))
    return message.startsWith('may hold letters') && text !== got ? quoteText(text) : undefined
  }
}

const LONGEST = 80

function findNearChoice(message: string, got: string): string | undefined {
  const [, choices] = /^must be one of (.+)$/.exec(message) ?? []
  return choices === undefined ? undefined : findNearest(got, choices.split(', '))
}

const TRUE = ['true', 'yes', 'y', '1', 'x', 'wahr', 'ja', 'vrai', 'oui']
const FALSE = ['false', 'no', 'n', '0', 'falsch', 'nein', 'faux', 'non']

function suggestBoolean(text: string): string | undefined {
  if (TRUE.includes(text.toLowerCase())) return 'true'
  return FALSE.includes(text.toLowerCase()) ? 'false' : undefined
}

/** `2.0`, `2,00` and ` 2`. */
function suggestWholeNumber(text: string): string | undefined {
  const [, digits] = /^\+?0*([1-9]\d{0,6})(?:[.,]0{1,2})?$/.exec(text) ?? []
  return digits !== undefined && Number(digits) <= 1_000_000 ? digits : undefined
}

/** `12,90`, `1.234,50`, `1,234.50`, `12.90 €`, `.5`; what may mean two things has no hint. */
function suggestDecimal(text: string): string | undefined {
  const bare = text.replace(/^\+/, '').replace(/^[.,](?=\d)/, '0$&')
  const numbers = new Set(MARKS.flatMap(mark => parseCellNumber(bare, mark)?.number ?? []))
  const [only] = numbers
  return numbers.size === 1 ? only?.replace(/^0+(?=\d)/, '') : undefined
}

/** `10/11/2026` may mean two days. */
function suggestAll(readings: readonly string[]): string | undefined {
  return readings.map(quoteText).join(' or ') || undefined
}

function quoteText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : JSON.stringify(text)
}

/** ISO 3166-1 alpha-3 codes and theirs of two letters. @see ISO 3166-1:2020 */
const BY_THREE =
  'ANDAD AREAE AFGAF ATGAG AIAAI ALBAL ARMAM AGOAO ATAAQ ARGAR ASMAS AUTAT AUSAU ABWAW ALAAX AZEAZ BIHBA BRBBB BGDBD ' +
  'BELBE BFABF BGRBG BHRBH BDIBI BENBJ BLMBL BMUBM BRNBN BOLBO BESBQ BRABR BHSBS BTNBT BVTBV BWABW BLRBY BLZBZ CANCA ' +
  'CCKCC CODCD CAFCF COGCG CHECH CIVCI COKCK CHLCL CMRCM CHNCN COLCO CRICR CUBCU CPVCV CUWCW CXRCX CYPCY CZECZ DEUDE ' +
  'DJIDJ DNKDK DMADM DOMDO DZADZ ECUEC ESTEE EGYEG ESHEH ERIER ESPES ETHET FINFI FJIFJ FLKFK FSMFM FROFO FRAFR GABGA ' +
  'GBRGB GRDGD GEOGE GUFGF GGYGG GHAGH GIBGI GRLGL GMBGM GINGN GLPGP GNQGQ GRCGR SGSGS GTMGT GUMGU GNBGW GUYGY HKGHK ' +
  'HMDHM HNDHN HRVHR HTIHT HUNHU IDNID IRLIE ISRIL IMNIM INDIN IOTIO IRQIQ IRNIR ISLIS ITAIT JEYJE JAMJM JORJO JPNJP ' +
  'KENKE KGZKG KHMKH KIRKI COMKM KNAKN PRKKP KORKR KWTKW CYMKY KAZKZ LAOLA LBNLB LCALC LIELI LKALK LBRLR LSOLS LTULT ' +
  'LUXLU LVALV LBYLY MARMA MCOMC MDAMD MNEME MAFMF MDGMG MHLMH MKDMK MLIML MMRMM MNGMN MACMO MNPMP MTQMQ MRTMR MSRMS ' +
  'MLTMT MUSMU MDVMV MWIMW MEXMX MYSMY MOZMZ NAMNA NCLNC NERNE NFKNF NGANG NICNI NLDNL NORNO NPLNP NRUNR NIUNU NZLNZ ' +
  'OMNOM PANPA PERPE PYFPF PNGPG PHLPH PAKPK POLPL SPMPM PCNPN PRIPR PSEPS PRTPT PLWPW PRYPY QATQA REURE ROURO SRBRS ' +
  'RUSRU RWARW SAUSA SLBSB SYCSC SDNSD SWESE SGPSG SHNSH SVNSI SJMSJ SVKSK SLESL SMRSM SENSN SOMSO SURSR SSDSS STPST ' +
  'SLVSV SXMSX SYRSY SWZSZ TCATC TCDTD ATFTF TGOTG THATH TJKTJ TKLTK TLSTL TKMTM TUNTN TONTO TURTR TTOTT TUVTV TWNTW ' +
  'TZATZ UKRUA UGAUG UMIUM USAUS URYUY UZBUZ VATVA VCTVC VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS YEMYE MYTYT ZAFZA ' +
  'ZMBZM ZWEZW'

/** What people also write: licence plate codes, sports codes, older names and parts of countries. */
const ALSO: Readonly<Record<string, string>> = {
  A: 'AT',
  B: 'BE',
  D: 'DE',
  E: 'ES',
  F: 'FR',
  I: 'IT',
  L: 'LU',
  N: 'NO',
  P: 'PT',
  S: 'SE',
  EL: 'GR',
  UK: 'GB',
  CRO: 'HR',
  DEN: 'DK',
  ENG: 'GB',
  GER: 'DE',
  GRE: 'GR',
  NED: 'NL',
  POR: 'PT',
  SLO: 'SI',
  SUI: 'CH',
  'Czech Republic': 'CZ',
  England: 'GB',
  'Great Britain': 'GB',
  Holland: 'NL',
  'Northern Ireland': 'GB',
  Scotland: 'GB',
  Turkey: 'TR',
  'United States of America': 'US',
  Wales: 'GB',
}

/** Languages in which people write country names. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl']

/** Finds the country that a text means if it is not a code: by other codes, names in several languages, and typos. */
class CountryHints {
  readonly #codes = new Map<string, string>()

  constructor() {
    for (const code of COUNTRY_CODES) this.#add(code, code)
    for (const pair of BY_THREE.split(' ')) this.#add(pair.slice(0, 3), pair.slice(3))
    for (const [name, code] of Object.entries(ALSO)) this.#add(name, code)
    for (const language of LANGUAGES) {
      const names = new Intl.DisplayNames(language, {type: 'region', fallback: 'none'})
      for (const code of COUNTRY_CODES) this.#add(names.of(code) ?? code, code)
    }
  }

  /** @returns a code of two letters; `undefined` if several are equally near */
  suggest(text: string): string | undefined {
    const name = text.trim().replaceAll('.', '').toLowerCase()
    const letters = [...name]
    const undoubled = letters.filter((letter, at) => letter !== letters[at - 1]).join('')
    return (
      this.#codes.get(name) ?? (name.length <= 3 ? this.#findByCode(name, undoubled) : this.#findByName(name))
    )
  }

  #add(name: string, code: string): void {
    const key = name.toLowerCase()
    if (!this.#codes.has(key)) this.#codes.set(key, code)
  }

  /** Codes are so short that one letter says little: only swapped letters, or a doubled one, count. */
  #findByCode(code: string, undoubled: string): string | undefined {
    return (
      this.#codes.get(undoubled) ??
      (code.length === 2 ? this.#codes.get([...code].reverse().join('')) : findNearestThree(code))
    )
  }

  #findByName(name: string): string | undefined {
    const meant = findNearest(
      name,
      [...this.#codes.keys()].filter(({length}) => length > 3),
    )
    return meant === undefined ? undefined : this.#codes.get(meant)
  }
}

/** The one code of three letters that begins the same, or ends the same. */
function findNearestThree(code: string): string | undefined {
  const pairs = BY_THREE.split(' ').map(pair => [pair.slice(0, 3).toLowerCase(), pair.slice(3)] as const)
  const near = pairs.filter(([three]) => findNearest(code, [three]) !== undefined && three[0] === code[0])
  return near.length === 1 ? near[0]?.[1] : undefined
}

const SIGNS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  fr: 'CHF',
  zł: 'PLN',
}

/** Of codes that are as near, the one that most people pay with. */
const USUAL = ['EUR', 'USD', 'GBP', 'CHF', 'PLN', 'SEK', 'DKK', 'NOK', 'CZK', 'JPY', 'CAD', 'AUD', 'CNY']

/** Metals, funds and codes for testing aside: nobody is paid in them. */
const CODES = [...USUAL, ...[...CURRENCIES].filter(code => !/^X(?!AF|CD|OF|PF)/.test(code))]

const CURRENCY_LANGUAGES = ['en', 'de', 'fr']

/** Finds the currency that a text means if it is not a code: by its sign, its name, or a typo. */
class CurrencyHints {
  readonly #names = new Map<string, string>()

  constructor() {
    for (const language of CURRENCY_LANGUAGES) {
      const names = new Intl.DisplayNames(language, {type: 'currency', fallback: 'code'})
      for (const code of CODES) this.#names.set(names.of(code) ?? code, code)
    }
  }

  /** @returns a code of three letters; `undefined` if none is near */
  suggest(text: string): string | undefined {
    const name = text.trim().toLowerCase()
    if (Object.hasOwn(SIGNS, name)) return SIGNS[name]
    if (name.length <= 4) return findNearest(name, CODES)
    const meant = findNearest(name, this.#names.keys())
    return meant === undefined ? undefined : this.#names.get(meant)
  }
}
