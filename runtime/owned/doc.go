// Package owned starts processes that die with the process that started them.
package owned
