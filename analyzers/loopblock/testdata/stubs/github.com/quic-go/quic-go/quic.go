// Package quic is a stub.
package quic

type ReceiveStream struct{}

func (s *ReceiveStream) SetReceiveFinalSizeCallback(callback func(int64)) {}

type SendStream struct{}

func (s *SendStream) WriteWithLimit(p []byte, limiter func(maxBytes int) int) (int, error) {
	return 0, nil
}
