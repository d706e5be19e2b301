// Package bbolt is a stub.
package bbolt

import "os"

type Options struct{}

type DB struct{}

func Open(path string, mode os.FileMode, options *Options) (db *DB, err error) { return &DB{}, nil }

func (db *DB) Path() string                           { return "" }
func (db *DB) Begin(writable bool) (t *Tx, err error) { return &Tx{}, nil }
func (db *DB) Update(fn func(*Tx) error) error        { return nil }
func (db *DB) View(fn func(*Tx) error) error          { return nil }
func (db *DB) Batch(fn func(*Tx) error) error         { return nil }

type Tx struct{}

func (tx *Tx) Bucket(name []byte) *Bucket { return &Bucket{} }
func (tx *Tx) Commit() (err error)        { return nil }
func (tx *Tx) Rollback() error            { return nil }

type Bucket struct{}

func (b *Bucket) Put(key []byte, value []byte) error { return nil }
func (b *Bucket) Get(key []byte) []byte              { return nil }
