/**
 * Words with which the names of functions begin: verbs in plain form; `is`, `matches` and the like for a claim;
 * `on`, `to` and `with` for a listener, a conversion and a scope, as in `onExit`, `toJson` and `withLock`.
 */
export const VERBS: ReadonlySet<string> = new Set(
  `
on to with
accepts allows applies begins belongs contains covers differs ends equals exists fits follows holds includes knows matches meets needs owns satisfies starts supports wants
is are has have can could may must should was were does did do
abort anonymize clamp capitalize deregister learn pin unpin preview spool succeed
abort accept access acknowledge acquire act adapt add adjust adopt advance aggregate agree align allocate allow analyse announce answer append apply approve archive arrange ask assemble assert assign associate attach attempt authenticate authorize await
back balance batch begin bind blank block boot break bring buffer build bulk bump
cache calculate call cancel cap capture carry cast change charge check choose claim classify clean clear clip clone close collapse collect color combine commit compact compare compile complete compose compress compute concat concatenate condense configure confirm connect consume contain continue convert copy correct count cover create cut
deactivate decide declare decode decompress decrease decrement decrypt dedupe deduplicate deepen define defer delay delegate delete deliver demand deny derive describe deserialize destroy detach detect determine diagnose diff digest disable discard disconnect discover dispatch display dispose distinguish divide download drain draw drop dump duplicate
echo edit elide embed emit empty enable encode encrypt end enforce enlarge enqueue enrich ensure enter enumerate erase escape estimate evaluate evict examine exchange exclude execute exit expand expect expire explain export expose express extend extract
fail fall feed fetch fill filter find finish fire fit fix flatten flip flush fold follow forbid force forecast forget fork format forward free freeze fulfil fulfill
gather generate get give go grant group grow guard guess gunzip gzip
halt handle hash head hide highlight hint hold hook
identify ignore import include increase increment indent index infer inflate inform inherit init initialize inject insert inspect install intercept interpret interrupt intersect introduce invalidate invert invoke isolate issue iterate
join judge jump justify
keep kill know
label last launch lay lead leave lengthen let lift limit link list listen load localize locate lock log look lookup loop lower
make map mark mask match materialize measure memoize merge migrate mirror mix modify monitor mount move multiply
name narrow negate negotiate nest normalize note notify number
observe obtain offer omit open order output overlay override overwrite own
pack pad page paginate paint pair parse partition pass paste patch pause peek percent perform permit persist pick pipe place plan play point poll pop populate post prefer prefix prepare present preserve press prevent print prioritize probe proceed process produce profile prohibit project prompt propose protect prove provide prune publish pull purge push put
qualify query queue quit quote
raise rank rate reach react read rearrange rebuild recall receive recognise recognize reconcile reconnect record recover redact redirect reduce refer refresh refund refuse refute register reject relate relax release reload remember remove rename render renew reopen reorder repair repeat replace replay reply report represent request require reroute resend reserve reset reshape resize resolve respond restart restore restrict resume retain retrieve retry return reuse reveal reverse revert review revoke rewind rewrite roll rotate round route run
sample sanitize satisfy save scale scan schedule scope score scroll search seal see seed seek select send separate serialize serve set settle shape share shift shorten show shrink shut sign signal simplify simulate sink skip sleep slice slow sniff sort spawn specify spell spend splice split spread squash stack stage stamp stand start state stay step stop store stream strengthen stringify strip style sub submit subscribe subtract suffix suggest sum summarise summarize supply support suppress surround survive suspend swallow swap switch sync synchronize
tail take tally tap tell terminate test throttle throw tick tidy time toggle tokenize touch trace track transact transform transition translate transpose traverse treat trigger trim trip truncate trust try tune turn type
unblock undo unescape unfold unify uninstall unite unlock unmark unpack unquote unregister unset unshift unsubscribe unwrap unzip update upgrade upload upper upsert use utilize
vacuum validate vary verify view visit void vouch
wait wake walk want warm warn wash watch weigh widen withdraw withhold work wrap write
yield zero zip zoom
`
    .split(/\s+/)
    .filter(Boolean),
)
