package tsp

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"satingrid/apps/tsp/check"
	"satingrid/apps/tsp/tsplib"
	"satingrid/satin"
)

var files = flag.String("tsp", "", "instances of the shared data to solve, with the time they take")
var workers = flag.Int("tspworkers", 1, "")

func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func TestTable(t *testing.T) {
	for _, name := range strings.Fields(*files) {
		d, opt := shared(t, name)
		p, err := satin.Open(t.Context(), satin.Config{App: App(), Alone: true, Workers: *workers})
		if err != nil {
			t.Fatal(err)
		}
		begin, start := cpu(), time.Now()
		got, err := satin.Run(context.Background(), p, Solve{Distances: d, Certify: os.Getenv("CERT") != ""})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%-10s %d cpu %.3f wall %.3f nodes %d proof %d\n", name, got.Length, cpu()-begin, time.Since(start).Seconds(), got.Nodes, len(got.Proof))
		if got.Length != opt {
			t.Errorf("%s: %d, want %d", name, got.Length, opt)
		}
		p.Close()
		if got.Proof != nil {
			var b bytes.Buffer
			if err := WriteCertificate(&b, got); err != nil {
				t.Fatal(err)
			}
			size := b.Len()
			begin := cpu()
			prob := readShared(t, name)
			r, err := check.Certificate(prob, &b, name)
			fmt.Println("   certificate", size, r, err, cpu()-begin)
			if err != nil {
				t.Error(err)
			}
		}
	}
}

func readShared(t testing.TB, name string) *tsplib.Problem {
	folder := os.Getenv("SATIN_DATA")
	f, err := os.Open(filepath.Join(folder, "tsp", name+".tsp"))
	if err != nil {
		t.Skipf("missing: %v", err)
	}
	defer f.Close()
	p, err := tsplib.Read(f, name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// shared reads an instance of the shared data and its optimum.
func shared(t testing.TB, name string) (Distances, int64) {
	folder := os.Getenv("SATIN_DATA")
	if folder == "" {
		t.Skip("SATIN_DATA is not set: the shared instances are missing")
	}
	f, err := os.Open(filepath.Join(folder, "tsp", name+".tsp"))
	if err != nil {
		t.Skipf("missing: %v", err)
	}
	defer f.Close()
	p, err := tsplib.Read(f, name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := DistancesOf(p)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile(filepath.Join(folder, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(manifest)) {
		if f := strings.Split(line, "\t"); f[0] == "tsp/"+name+".tsp" {
			var opt int64
			fmt.Sscan(f[1], &opt)
			return d, opt
		}
	}
	t.Fatalf("%s is not in the manifest", name)
	return d, 0
}
