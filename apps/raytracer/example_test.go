package raytracer_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"satingrid/apps/raytracer"
	"satingrid/apps/raytracer/read"
	"satingrid/satin"
)

func ExampleRender() {
	m, err := satin.Run(context.Background(), nil, raytracer.Render{
		Scene: *raytracer.Example(), Width: 32, Height: 18, Samples: 1, Bounces: 1,
	})
	fmt.Println(m.Width, m.Height, len(m.Pixels), err)
	// Output: 32 18 2304 <nil>
}

func ExampleVerify() {
	task := raytracer.Render{Scene: *raytracer.Example(), Width: 32, Height: 18, Samples: 1, Bounces: 1}
	m, err := satin.Run(context.Background(), nil, task)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(raytracer.Verify(task, m, 1))
	m.Pixels[4] ^= 1
	_, err = raytracer.Verify(task, m, 1)
	fmt.Println(err != nil)
	// Output:
	// 576 <nil>
	// true
}

func ExampleReadImage() {
	m, err := raytracer.ReadImage(strings.NewReader("PF\n1 1\n-1.0\n\x00\x00\x80\x3f\x00\x00\x80\x3f\x00\x00\x00\x00"), "yellow.pfm")
	fmt.Println(m.Width, m.Height, m.Linear, m.Pixels, err)
	// Output: 1 1 true [0 0 128 63 0 0 128 63 0 0 0 0] <nil>
}

func ExampleParseCamera() {
	c, err := raytracer.ParseCamera("0,1,5, 0,0,0, 40")
	fmt.Println(c.Eye, c.Target, c.Fov, err)
	_, err = raytracer.ParseCamera("0,1,5")
	fmt.Println(err)
	// Output:
	// {0 1 5} {0 0 0} 40 <nil>
	// camera "0,1,5": 3 numbers; expected ex,ey,ez,tx,ty,tz,fov: where it is, what it looks at, and its angle of view in degrees
}

func ExampleReadSky() {
	sky, err := raytracer.ReadSky("0.2,0.4,0.9:0.8,0.8,0.8")
	fmt.Println(sky.Zenith, sky.Horizon, sky.Ground, err)
	scene := raytracer.Example()
	scene.Under(sky)
	_, err = raytracer.ReadSky("no such sky.hdr")
	fmt.Println(err)
	// Output:
	// {0.2 0.4 0.9} {0.8 0.8 0.8} {0.8 0.8 0.8} <nil>
	// no such sky.hdr: cannot be read: no such file or directory
}

// ExampleRender_show looks at what there is of a picture before it is finished.
func ExampleRender_show() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	task := raytracer.Render{Scene: *raytracer.Example(), Width: 64, Height: 36, Samples: 60_000, Show: true}
	run, err := satin.Submit(ctx, nil, task)
	if err != nil {
		fmt.Println(err)
		return
	}
	canvas := task.Canvas()
	for {
		if said, ok := run.Best(); ok {
			canvas.Add(said)
			soFar := canvas.Picture()
			fmt.Println(soFar.Width, soFar.Height, len(soFar.Pixels), soFar.Done)
			return
		}
		time.Sleep(time.Millisecond)
	}
	// Output: 64 36 9216 0
}

func ExampleReadScene() {
	_, _, err := raytracer.ReadScene("no such scene.obj", read.Rest)
	fmt.Println(err)
	// Output: no such scene.obj: cannot be read: no such file or directory
}
