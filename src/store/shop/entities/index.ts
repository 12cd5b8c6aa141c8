export {pageColumns, searchPage} from '../search/search.js'
export {exists} from './read.js'
export {insertEntities} from './write.js'
