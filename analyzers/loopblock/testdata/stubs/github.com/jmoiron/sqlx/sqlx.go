// Package sqlx is a stub.
package sqlx

import "database/sql"

type DB struct{ *sql.DB }

func (db *DB) Select(dest interface{}, query string, args ...interface{}) error { return nil }
func (db *DB) Get(dest interface{}, query string, args ...interface{}) error    { return nil }
func (db *DB) NamedExec(query string, arg interface{}) (sql.Result, error)      { return nil, nil }
func (db *DB) Rebind(query string) string                                       { return query }
