// Package excluded has files for other builds.
package excluded
