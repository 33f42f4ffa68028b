package console

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
)

// Log writes warnings as commands write everything: one line that begins with the program's name,
// and then says who.
func (c *Console) Log(who string) *slog.Logger { return slog.New(&lineHandler{con: c, who: who}) }

// lineHandler is a slog.Handler for people.
type lineHandler struct {
	con   *Console
	who   string
	attrs []slog.Attr
}

func (h *lineHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn
}

func (h *lineHandler) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s%s", h.con.Name, h.who, r.Message)
	attrs := slices.Clone(h.attrs)
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	for i, a := range attrs {
		sep := ", "
		if i == 0 {
			sep = ": "
		}
		fmt.Fprintf(&b, "%s%s %v", sep, a.Key, a.Value)
	}
	_, err := fmt.Fprintln(h.con.Err, h.con.named(b.String()))
	return err
}

func (h *lineHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &lineHandler{h.con, h.who, append(slices.Clone(h.attrs), attrs...)}
}

func (h *lineHandler) WithGroup(string) slog.Handler { return h }
