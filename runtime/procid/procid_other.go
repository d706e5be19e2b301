//go:build !linux && !darwin && !windows

package procid

import "errors"

func look(int) (Identity, State, error) {
	return Identity{}, CannotTell, errors.ErrUnsupported
}

func compareBoots(string) bootMatch {
	return unknownBoot
}

func all() ([]Info, error) {
	return nil, errors.ErrUnsupported
}
