export {exists} from './read.js'
export {insertEntities} from './write.js'
