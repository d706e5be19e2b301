//go:build unix && !linux

package lockowner

import "context"

func find(ctx context.Context, path string) (Report, error) {
	database, files, err := databaseFiles(path)
	if err != nil {
		return Report{}, err
	}
	holders, err := lsof(ctx, files)
	if err != nil {
		return Report{}, err
	}
	return Report{Database: database, Holders: holders, OnlyCandidates: true}, nil
}
