// Package cache is a stub.
package cache

type ResourceEventHandler interface {
	OnAdd(obj interface{}, isInInitialList bool)
	OnUpdate(oldObj, newObj interface{})
	OnDelete(obj interface{})
}

type ResourceEventHandlerFuncs struct {
	AddFunc    func(obj interface{})
	UpdateFunc func(oldObj, newObj interface{})
	DeleteFunc func(obj interface{})
}

func (r ResourceEventHandlerFuncs) OnAdd(obj interface{}, isInInitialList bool) {
	if r.AddFunc != nil {
		r.AddFunc(obj)
	}
}

func (r ResourceEventHandlerFuncs) OnUpdate(oldObj, newObj interface{}) {
	if r.UpdateFunc != nil {
		r.UpdateFunc(oldObj, newObj)
	}
}

func (r ResourceEventHandlerFuncs) OnDelete(obj interface{}) {
	if r.DeleteFunc != nil {
		r.DeleteFunc(obj)
	}
}

type ResourceEventHandlerDetailedFuncs struct {
	AddFunc    func(obj interface{}, isInInitialList bool)
	UpdateFunc func(oldObj, newObj interface{})
	DeleteFunc func(obj interface{})
}

func (r ResourceEventHandlerDetailedFuncs) OnAdd(obj interface{}, isInInitialList bool) {}
func (r ResourceEventHandlerDetailedFuncs) OnUpdate(oldObj, newObj interface{})         {}
func (r ResourceEventHandlerDetailedFuncs) OnDelete(obj interface{})                    {}

type FilteringResourceEventHandler struct {
	FilterFunc func(obj interface{}) bool
	Handler    ResourceEventHandler
}

func (r FilteringResourceEventHandler) OnAdd(obj interface{}, isInInitialList bool) {}
func (r FilteringResourceEventHandler) OnUpdate(oldObj, newObj interface{})         {}
func (r FilteringResourceEventHandler) OnDelete(obj interface{})                    {}

type ResourceEventHandlerRegistration interface{ HasSynced() bool }

type Reflector struct{}

type (
	WatchErrorHandler func(r *Reflector, err error)
	TransformFunc     func(interface{}) (interface{}, error)
)

type Store interface {
	List() []interface{}
	GetByKey(key string) (item interface{}, exists bool, err error)
}

type Indexer interface {
	Store
	ByIndex(indexName, indexedValue string) ([]interface{}, error)
}

type SharedInformer interface {
	AddEventHandler(handler ResourceEventHandler) (ResourceEventHandlerRegistration, error)
	SetWatchErrorHandler(handler WatchErrorHandler) error
	SetTransform(handler TransformFunc) error
	GetStore() Store
}

type SharedIndexInformer interface {
	SharedInformer
	GetIndexer() Indexer
}

func MetaNamespaceKeyFunc(obj interface{}) (string, error) { return "", nil }
