package satin_test

import (
	"context"
	"testing"

	"satingrid/satin"
)

func seqFib(n int) int {
	if n < 2 {
		return n
	}
	return seqFib(n-1) + seqFib(n-2)
}

type queensTask struct{ Free, D1, D2 uint32 }

func (q queensTask) Run(s *satin.Scope) (int, error) {
	open := q.Free &^ (q.D1 | q.D2)
	if open == 0 {
		if q.Free == 0 {
			return 1, nil
		}
		return 0, nil
	}
	var fs [16]satin.Future[queensTask, int]
	k := 0
	for ; open != 0; open &= open - 1 {
		b := open & -open
		fs[k&15] = satin.Spawn(s, queensTask{q.Free &^ b, (q.D1 | b) << 1, (q.D2 | b) >> 1})
		k++
	}
	n := 0
	for k--; k >= 0; k-- {
		m, err := fs[k&15].Wait(s)
		if err != nil {
			return 0, err
		}
		n += m
	}
	return n, nil
}

func seqQueens(free, d1, d2 uint32) int {
	if free == 0 {
		return 1
	}
	n := 0
	for open := free &^ (d1 | d2); open != 0; open &= open - 1 {
		b := open & -open
		n += seqQueens(free&^b, (d1|b)<<1, (d2|b)>>1)
	}
	return n
}

const fibN = 32

func BenchmarkFibSequential(b *testing.B) {
	for b.Loop() {
		seqFib(fibN)
	}
	perSpawn(b, seqFib(fibN+1)-1)
}

func perSpawn(b *testing.B, spawns int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(spawns), "ns/spawn")
}

func benchmarkRun[T satin.Task[R], R any](b *testing.B, workers int, task T, spawns int) {
	p := satin.OpenRecording(b, workers, 0, satin.App{})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := satin.Run[T, R](context.Background(), p, task); err != nil {
			b.Fatal(err)
		}
	}
	perSpawn(b, spawns)
}

func BenchmarkFib(b *testing.B)  { benchmarkRun(b, 1, fibTask{fibN}, seqFib(fibN+1)-1) }
func BenchmarkFib2(b *testing.B) { benchmarkRun(b, 2, fibTask{fibN}, seqFib(fibN+1)-1) }

const queensN = 12

func countQueens(free, d1, d2 uint32) int {
	n := 1
	for open := free &^ (d1 | d2); open != 0; open &= open - 1 {
		b := open & -open
		n += countQueens(free&^b, (d1|b)<<1, (d2|b)>>1)
	}
	return n
}

func BenchmarkQueensSequential(b *testing.B) {
	for b.Loop() {
		seqQueens(1<<queensN-1, 0, 0)
	}
	perSpawn(b, countQueens(1<<queensN-1, 0, 0))
}
func BenchmarkQueens(b *testing.B) {
	benchmarkRun(b, 1, queensTask{Free: 1<<queensN - 1}, countQueens(1<<queensN-1, 0, 0))
}
func BenchmarkQueens2(b *testing.B) {
	benchmarkRun(b, 2, queensTask{Free: 1<<queensN - 1}, countQueens(1<<queensN-1, 0, 0))
}
