const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * A run's id: 16 characters without look-alikes, that sort by time. Ids of one moment differ by 30 random bits.
 *
 * @param random from 0 up to 1
 * @see Crockford's base 32
 */
export function createRunId(now: Date, random: () => number): string {
  let time = ''
  for (let rest = now.getTime(); time.length < 10; rest = Math.floor(rest / 32))
    time = pickLetter(rest % 32) + time
  let tail = ''
  while (tail.length < 6) tail += pickLetter(Math.floor(random() * 32))
  return time + tail
}

function pickLetter(value: number): string {
  return ALPHABET[value] as string
}
