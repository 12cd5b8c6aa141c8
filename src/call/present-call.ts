import type {StorectlError} from '../errors.js'
import type {CallFlags} from '../flags/call-flags.js'
import type {HttpResponse, Pieces} from '../http/http.js'
import {stringifyJson} from '../output/json/json-text.js'
import type {Presenter} from '../output/presenter.js'
import {type CallDeps, call, findCallSecrets, type Wanted} from './call.js'
import {buildView, formatBody, formatHead, listRows, parseJsonBody, readWholeBody} from './response-view.js'
import {describeHtmlPage, parseTarget, suggestWholePath} from './target.js'

/** A call as a command line has it. */
export interface CallInput extends Omit<Wanted, 'input'> {
  /** Whether status and headers are printed before the body. */
  readonly include: boolean
}

/**
 * The call that words and flags ask for; a path alone is a GET.
 *
 * @throws StorectlError `usage.method`, `usage.path`
 */
export function parseCallInput(
  args: {readonly method?: string | undefined; readonly path?: string | undefined},
  {field = [], 'raw-field': texts = [], header = [], include}: CallFlags,
): CallInput {
  const {method, path} = parseTarget(args.method ?? '', args.path)
  return {method, path, fields: field, texts, headers: header, include}
}

export interface PresentCallDeps extends Omit<CallDeps, 'take'> {
  /** The body as it is. */
  readonly body: Pieces | undefined
  readonly refusal: (answer: HttpResponse, doing: string) => StorectlError
  /** Takes a secret out of everything that goes to stderr. */
  readonly hide: (secret: string) => void
}

/**
 * Makes one call and prints the body of the response.
 *
 * @throws StorectlError as `call` does, and for a response of 300 and more
 */
export async function presentCall(
  input: CallInput,
  {body, refusal, hide, ...deps}: PresentCallDeps,
  presenter: Presenter,
): Promise<void> {
  const wanted = {...input, input: body}
  for (const secret of findCallSecrets(wanted)) hide(secret)
  let isPage = false
  const {answer, asked} = await call(wanted, {
    ...deps,
    take: async arriving => {
      isPage = /^text\/html\b/i.test(`${arriving.headers['content-type']}`)
      if (input.include) await presenter.write(formatHead(arriving))
      await printArriving(arriving.pieces, presenter)
    },
  })
  if (isPage) await presenter.note(describeHtmlPage(wanted))
  if (answer.status < 300) return
  if (input.include) {
    await presenter.write(formatHead(answer))
    await printBody(answer.body, presenter)
  }
  throw suggestWholePath(refusal(answer, asked), answer.status, wanted)
}

/** Prints a body as it comes, unless it must be taken apart. */
async function printArriving(pieces: AsyncIterable<Uint8Array>, presenter: Presenter): Promise<void> {
  const {requested, fields, streams} = presenter
  const isRaw = requested === undefined && !fields && !streams.stdout.isTerminal
  if (!isRaw) return printBody(await readWholeBody(pieces), presenter)
  for await (const piece of pieces) await presenter.write(piece)
}

async function printBody(body: Buffer, presenter: Presenter): Promise<void> {
  const {requested, fields, streams} = presenter
  const value = requested || fields ? parseJsonBody(body) : undefined
  if (value === undefined) return presenter.write(streams.stdout.isTerminal ? formatBody(body) : body)
  if (requested === 'json' && !fields) return presenter.write(`${stringifyJson(value)}\n`)
  const rows = listRows(value)
  await presenter.print(rows, buildView(rows))
}
