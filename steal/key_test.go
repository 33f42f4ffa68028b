package steal

import "testing"

func TestKeyOf(t *testing.T) {
	// The first 16 bytes of the SHA-256 of "abc", FIPS 180-2 appendix B.1.
	const want = "ba7816bf8f01cfea414140de5dae2223"
	if got := KeyOf([]byte("abc")).String(); got != want {
		t.Errorf("KeyOf(abc) = %s, want %s", got, want)
	}
	if got := KeyOf([]byte("abc")).Short(); got != want[:8] {
		t.Errorf("Short = %s, want %s", got, want[:8])
	}
}
