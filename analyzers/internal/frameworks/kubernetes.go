package frameworks

var informerLoop = Loop{Name: "the informer's event loop"}

// clientGo notifies each handler from one goroutine. Work belongs into a
// queue's workers.
var clientGo = []family{{
	loop:    informerLoop,
	paths:   []string{"k8s.io/client-go/tools/cache"},
	methods: "ResourceEventHandler.{OnAdd,OnUpdate,OnDelete}",
	fields: `{ResourceEventHandlerFuncs,TypedResourceEventHandlerFuncs}.{AddFunc,UpdateFunc,DeleteFunc}
		{ResourceEventHandlerDetailedFuncs,TypedResourceEventHandlerDetailedFuncs}.{AddFunc,UpdateFunc,DeleteFunc}
		{FilteringResourceEventHandler,TypedFilteringResourceEventHandler}.FilterFunc`,
	callbacks: "SharedInformer.{SetWatchErrorHandler,SetWatchErrorHandlerWithContext,SetTransform}",
	types:     "WatchErrorHandler WatchErrorHandlerWithContext TransformFunc",
}}

// controllerRuntime runs handlers, predicates and map functions inside the
// informer's handler. Reconcilers have workers and may block.
var controllerRuntime = []family{
	{
		loop:      informerLoop,
		paths:     []string{"sigs.k8s.io/controller-runtime/pkg/handler"},
		methods:   "EventHandler.{Create,Update,Delete,Generic}",
		fields:    "{Funcs,TypedFuncs}.{CreateFunc,UpdateFunc,DeleteFunc,GenericFunc}",
		callbacks: "EnqueueRequestsFromMapFunc TypedEnqueueRequestsFromMapFunc",
		types:     "MapFunc TypedMapFunc",
	},
	{
		loop:      informerLoop,
		paths:     []string{"sigs.k8s.io/controller-runtime/pkg/predicate"},
		methods:   "Predicate.{Create,Update,Delete,Generic}",
		fields:    "{Funcs,TypedFuncs}.{CreateFunc,UpdateFunc,DeleteFunc,GenericFunc}",
		callbacks: "NewPredicateFuncs NewTypedPredicateFuncs",
	},
}
