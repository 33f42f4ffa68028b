package satin_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"satingrid/satin"
	"satingrid/satin/await"
	"satingrid/satin/ticket"
)

// TestRefusedRun: a grid takes so many runs of one submitter; the next is not begun, which is no
// failure of a job. When one has ended there is room.
func TestRefusedRun(t *testing.T) {
	tk, err := ticket.New("sums")
	if err != nil {
		t.Fatal(err)
	}
	openSum(t, &tk, "a1", t.TempDir())
	client := openSum(t, &tk, "client", "")
	one, end := context.WithCancel(t.Context())
	submit := func(ctx context.Context, n int) (*satin.Submission[int], error) {
		u, err := satin.Submit[Sum, int](ctx, client, Sum{n, 1 << 50})
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-u.Accepted():
		case <-u.Done():
			_, err = u.Wait()
		}
		return u, err
	}
	const most = 32
	first, err := submit(one, 0)
	for n := 1; n < most && err == nil; n++ {
		_, err = submit(t.Context(), n)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = submit(t.Context(), most)
	var refused *satin.RefusedError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "submit again when one has ended") {
		t.Fatalf("one run too many: %v", err)
	}
	end()
	first.Wait()
	await.Comes(func() bool {
		_, err = submit(t.Context(), most)
		return !errors.As(err, &refused)
	})
	if err != nil {
		t.Errorf("when one has ended: %v", err)
	}
}
