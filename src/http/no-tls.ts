/** Why no secure connection came about, and what to do. */
export interface NoTls {
  readonly why: string
  /** Whether it stays so until somebody does something about it. */
  readonly lasts: boolean
  readonly nextSteps: readonly string[]
}

/** TLS failures: the handshake never ended, so nothing was sent. */
const HANDSHAKE = /^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/

/** How the other side says that it takes no certificate, or misses one. @see RFC 8446 §6.2 */
const ABOUT_US = /ALERT_(CERTIFICATE|BAD_CERTIFICATE|HANDSHAKE|UNKNOWN_CA|ACCESS|UNSUPPORTED_CERTIFICATE)/

/** With TLS 1.3 alone. */
const MISSES_OURS = /ALERT_CERTIFICATE_REQUIRED/

const TRUST = 'storectl … --ca-file FILE   # the PEM file of the authority that made the certificate'
const TRUST_HERE = 'export STORECTL_CA_FILE=/path/of/FILE   # for this shell'
const KEEP_TRUST = 'storectl config set ca-file /path/of/FILE   # for every command from here on'

const DOCTOR = 'storectl doctor'

type Reason = Omit<NoTls, 'lasts'>

type TlsError = NodeJS.ErrnoException & {readonly cert?: {readonly subjectaltname?: string}}

/**
 * What a failed handshake means.
 *
 * @param code of the error, or of the first of several
 * @param showsCertificate whether `--cert` was given
 * @returns `undefined` for an error that has nothing to do with TLS
 */
export function noTls(error: TlsError, code: string, url: URL, showsCertificate: boolean): NoTls | undefined {
  const isHandshake =
    HANDSHAKE.test(code) || (code === 'ECONNRESET' && /TLS|socket disconnected before/.test(error.message))
  if (!isHandshake) return undefined
  const reason = CERTIFICATES[code]?.(error, url) ?? ofHandshake(error, code, url, showsCertificate)
  // A connection that only broke may have met a restart, or a proxy that was short of something.
  return {...reason, lasts: code !== 'ECONNRESET', nextSteps: withDoctor(reason.nextSteps)}
}

function withDoctor(steps: readonly string[]): readonly string[] {
  return steps.some(step => step.startsWith(DOCTOR)) ? steps : [...steps, DOCTOR]
}

/** The ways to show a certificate, as steps. */
export function showing(showsCertificate: boolean): string[] {
  return showsCertificate
    ? ['ask whoever runs the shop which certificates it takes, and give that one to --cert']
    : ['storectl … --cert FILE --key FILE   # show a certificate']
}

const ownAuthority = () => ({
  why: 'its certificate comes from an authority that is not trusted here',
  nextSteps: [TRUST, TRUST_HERE, KEEP_TRUST],
})

const CERTIFICATES: Readonly<Record<string, (error: TlsError, url: URL) => Reason>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: () => ({
    why: 'its certificate is self-signed',
    nextSteps: [
      TRUST.replace('of the authority that made the certificate', 'with that certificate'),
      TRUST_HERE,
      KEEP_TRUST,
    ],
  }),
  SELF_SIGNED_CERT_IN_CHAIN: ownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: ownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ownAuthority,
  CERT_HAS_EXPIRED: () => ({
    why: 'its certificate has expired',
    nextSteps: [`${DOCTOR}   # since when`, 'date -u   # a clock that is ahead makes it look so'],
  }),
  CERT_NOT_YET_VALID: () => ({
    why: 'its certificate is not valid yet',
    nextSteps: ['date -u   # a clock that is behind makes it look so'],
  }),
  ERR_TLS_CERT_ALTNAME_INVALID: ({cert}, {hostname}) => ({
    why: `its certificate is not for ${hostname}${cert?.subjectaltname ? ` but for ${oneLine(cert.subjectaltname)}` : ''}`,
    nextSteps: ['storectl auth status   # which URL is used, and where it comes from'],
  }),
}

function ofHandshake({message}: Error, code: string, url: URL, showsCertificate: boolean): Reason {
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    const plain = url.href.replace('https:', 'http:').replace(/\/$/, '')
    return {
      why: 'it does not speak TLS',
      nextSteps: [
        `storectl … --url ${plain}   # if the shop is meant to be called in the clear`,
        'else check the port',
      ],
    }
  }
  if (ABOUT_US.test(code)) {
    if (!showsCertificate && MISSES_OURS.test(code)) {
      return {why: 'it wants a certificate of ours, and none was shown', nextSteps: showing(false)}
    }
    const why = showsCertificate
      ? 'it does not take the certificate of --cert'
      : 'it may want a certificate of ours'
    return {why: `it refused the handshake; ${why}`, nextSteps: showing(showsCertificate)}
  }
  if (code === 'ECONNRESET') {
    const why = showsCertificate
      ? 'it may not take the certificate of --cert'
      : 'it may not speak TLS, or want a certificate'
    return {
      why: `it broke off the handshake; ${why}`,
      nextSteps: [...showing(showsCertificate), 'check the port'],
    }
  }
  return {why: oneLine(message), nextSteps: []}
}

/** OpenSSL ends its messages with a line feed. */
function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
