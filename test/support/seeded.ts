import fc from 'fast-check'

/** Property tests draw the same values at every run; `npm run test:long` draws others. */
fc.configureGlobal({seed: 20_261_121})
