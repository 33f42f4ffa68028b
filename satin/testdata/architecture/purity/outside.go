package purity

import (
	"context" // want "context is not on the list"
	"fmt"
	"net"  // want "net is not on the list"
	"os"   // want "os is not on the list"
	"sync" // want "sync is not on the list"
)

var mu sync.Mutex

func tell(ctx context.Context, c net.Conn) error {
	fmt.Println("here") // want "fmt.Println"
	println("here")     // want "println"
	fmt.Fprintln(os.Stderr)
	if ctx.Err() != nil {
		return fmt.Errorf("tell: %w", ctx.Err())
	}
	return c.Close()
}
