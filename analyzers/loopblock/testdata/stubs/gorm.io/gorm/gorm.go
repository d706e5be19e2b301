// Package gorm is a stub.
package gorm

type DB struct{ Error error }

func (db *DB) Create(value interface{}) (tx *DB)                     { return db }
func (db *DB) Save(value interface{}) (tx *DB)                       { return db }
func (db *DB) First(dest interface{}, conds ...interface{}) (tx *DB) { return db }
func (db *DB) Find(dest interface{}, conds ...interface{}) (tx *DB)  { return db }
func (db *DB) Where(query interface{}, args ...interface{}) (tx *DB) { return db }
func (db *DB) Model(value interface{}) (tx *DB)                      { return db }
func (db *DB) Exec(sql string, values ...interface{}) (tx *DB)       { return db }
func (db *DB) Transaction(fc func(tx *DB) error) (err error)         { return nil }
