import {describeCommands, SETUP} from '/viewer/commands.js'

/** Client ids of security schemes, to fill in. */
const CLIENTS = {administrator: {clientId: 'administration'}}

/** Tags that are expanded at first: those with the most used operations. */
const UNFOLDED = ['Access token', 'Customers', 'Fulfillment orders', 'Payment webhook']

/** A link to one operation expands only that one. */
function unfold(ui) {
  if (window.location.hash !== '') return
  for (const chapter of UNFOLDED) ui.layoutActions.show(['operations-tag', chapter], true)
}

/** Simplifies sign-in: fills in the client id, and focuses the first field. */
const signingIn = () => ({
  wrapComponents: {
    oauth2:
      (Original, {React}) =>
      props => {
        const getConfigs = () => CLIENTS[props.name] ?? {}
        return React.createElement(Original, {...props, authSelectors: {...props.authSelectors, getConfigs}})
      },
  },
  statePlugins: {
    auth: {
      wrapActions: {
        showDefinitions: original => definitions => {
          const action = original(definitions)
          window.requestAnimationFrame(() => document.querySelector('.auth-container input')?.focus())
          return action
        },
      },
    },
  },
})

function followColours(scheme) {
  document.documentElement.classList.toggle('dark-mode', scheme.matches)
}

/** Requests plain JSON, as shown on the page, unless the user chooses another format. */
function asShown(request) {
  if (request.headers?.accept === '*/*') request.headers.accept = 'application/json'
  // A browser would show its own dialog for a refused sign-in, which hides the shop's response.
  request.credentials = 'omit'
  return request
}

const dark = window.matchMedia('(prefers-color-scheme: dark)')
followColours(dark)
dark.addEventListener('change', followColours)

/** A card with a command, and a button that copies it. */
function drawCommand({kind = 'command', title, text, command, note}) {
  const card = create('section', kind)
  const head = create('header')
  const copy = create('button', '', 'Copy')
  copy.type = 'button'
  copy.setAttribute('aria-label', `Copy: ${title}`)
  copy.addEventListener('click', () => copyText(command, copy))
  head.append(create('h2', '', title), copy)
  const words = create('p', '', text)
  if (note) words.prepend(create('code', '', note), ' ')
  const shown = create('pre')
  shown.tabIndex = 0
  shown.append(create('code', '', command))
  card.append(head, words, shown)
  return card
}

function create(name, className = '', text = '') {
  const element = document.createElement(name)
  if (className) element.className = className
  element.textContent = text
  return element
}

async function copyText(text, button) {
  await navigator.clipboard.writeText(text)
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 2000)
}

function drawCommands(description) {
  const cards = describeCommands(description, window.location.origin).map(({method, path, ...rest}) =>
    drawCommand({...rest, note: `${method} ${path}`}),
  )
  const setup = drawCommand({
    kind: 'command setup',
    title: 'First, set the variables',
    text: 'storectl prints the credentials of this shop. The commands below use them.',
    command: SETUP,
  })
  document.querySelector('#commands').append(setup, ...cards)
}

const description = await (await fetch('/viewer/openapi3.json')).json()
drawCommands(description)

const ui = window.SwaggerUIBundle({
  spec: description,
  dom_id: '#page',
  plugins: [signingIn],
  // The badge would send the document to another host for validation.
  validatorUrl: null,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  requestInterceptor: asShown,
  onComplete: () => unfold(ui),
})
