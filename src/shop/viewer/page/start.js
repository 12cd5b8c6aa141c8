/** The client that a way of signing in wants, so that nobody has to know it. */
const CLIENTS = {administrator: {clientId: 'administration'}}

/** What is shown unfolded: the chapters with the operations that most people come for. */
const UNFOLDED = ['Access token', 'Customers', 'Fulfillment orders', 'Payment webhook']

/** A link to one operation unfolds that one alone. */
function unfold(ui) {
  if (window.location.hash !== '') return
  for (const chapter of UNFOLDED) ui.layoutActions.show(['operations-tag', chapter], true)
}

/** Makes signing in shorter: the client is filled in, and the first field has the cursor. */
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

function followColours(wish) {
  document.documentElement.classList.toggle('dark-mode', wish.matches)
}

/** What the page shows is what it asks for: unless somebody chooses another form of answer, plain JSON. */
function asShown(request) {
  if (request.headers?.accept === '*/*') request.headers.accept = 'application/json'
  // A browser would answer a refused sign-in with a dialog of its own, which hides the shop's answer.
  request.credentials = 'omit'
  return request
}

const dark = window.matchMedia('(prefers-color-scheme: dark)')
followColours(dark)
dark.addEventListener('change', followColours)

const ui = window.SwaggerUIBundle({
  url: '/viewer/openapi3.json',
  dom_id: '#page',
  plugins: [signingIn],
  // The badge would ask another host what it thinks of the document.
  validatorUrl: null,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  requestInterceptor: asShown,
  onComplete: () => unfold(ui),
})
