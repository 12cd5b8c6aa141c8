/**
 * The text fields of a `multipart/form-data` body; files are left out, as no operation takes one.
 *
 * @returns names and values in the order of the body; none when the boundary is missing or never comes
 * @see RFC 7578
 */
export function multipartFields(body: Buffer, contentType: string): [name: string, value: string][] {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const delimiter = boundary?.[1] ?? boundary?.[2]
  if (delimiter === undefined) return []
  const parts = body.toString('latin1').split(`--${delimiter}`).slice(1, -1)
  return parts.flatMap(part => {
    const field = fieldOf(part)
    return field ? [field] : []
  })
}

function fieldOf(part: string): [name: string, value: string] | undefined {
  const end = part.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const disposition = /^content-disposition:(.*)$/im.exec(part.slice(0, end))?.[1] ?? ''
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1]
  if (name === undefined || /;\s*filename\*?=/i.test(disposition)) return undefined
  return [utf8(name), utf8(part.slice(end + 4).replace(/\r\n$/, ''))]
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8')
}
