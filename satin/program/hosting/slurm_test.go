package hosting

import "testing"

// task is a task of Slurm with some variables.
func task(variables ...string) *slurm {
	env := map[string]string{}
	for n := 0; n < len(variables); n += 2 {
		env[variables[n]] = variables[n+1]
	}
	return &slurm{env: func(name string) string { return env[name] }}
}

func TestSlurm(t *testing.T) {
	if s := slurmOf(task().env); s != nil {
		t.Errorf("without a job it is %s", s)
	}
	if s := slurmOf(task("SLURM_JOB_ID", "7").env); s == nil || s.String() != "job 7 of Slurm" || s.site() != "" {
		t.Errorf("a job is %s at %q", s, s.site())
	}
	s := task("SLURM_JOB_ID", "12", "SLURM_ARRAY_JOB_ID", "9", "SLURM_ARRAY_TASK_ID", "3", "SLURM_CLUSTER_NAME", "das5",
		"SLURM_TOPOLOGY_ADDR", "root.rack0.n1", "SLURM_TOPOLOGY_ADDR_PATTERN", "switch.switch.node")
	if s.String() != "job 12 of Slurm's cluster das5" || s.site() != "das5-rack0" {
		t.Errorf("a task of an array is %s at %q", s, s.site())
	}
	s = task("SLURM_JOB_ID", "7", "SLURM_CLUSTER_NAME", "das5", "SLURM_TOPOLOGY_ADDR", "b8.n1", "SLURM_TOPOLOGY_ADDR_PATTERN", "block.node")
	if s.site() != "das5-b8" {
		t.Errorf("in a block it is at %q", s.site())
	}
	// without the plug-in the address is the machine's name
	s = task("SLURM_JOB_ID", "7", "SLURM_CLUSTER_NAME", "das5", "SLURM_TOPOLOGY_ADDR", "n1", "SLURM_TOPOLOGY_ADDR_PATTERN", "node")
	if s.site() != "das5" {
		t.Errorf("without a topology it is at %q", s.site())
	}
}

// TestSlurmsCores: a batch script has all that the job has on its machine, whatever tasks the job
// asks for; a task of a step has its part of the step's.
func TestSlurmsCores(t *testing.T) {
	for _, c := range []struct {
		perTask, onNode, step, node, tasks string
		want                               int
	}{
		{"", "8", "", "0", "2(x3)", 8}, // batch scripts
		{"4", "8", "", "0", "2", 8},
		{"4", "", "", "", "2", 4},
		{"", "8", "2", "0", "8", 4}, // tasks of steps
		{"", "2", "4(x2)", "1", "", 1},
		{"", "8", "2,1", "0", "", 4},
		{"", "8", "2,1", "1", "", 8},
		{"", "8", "2(x3),4", "3", "", 2},
		{"3", "8", "2", "0", "", 3},
		{"6", "8", "2", "0", "", 4}, // 6 is what its script has
		{"", "8", "2(x3),4", "4", "", 0},
		{"", "8", "2,1", "", "", 0},
		{"", "8", "2(xa),1", "0", "", 0},
		{"", "8", "few", "0", "", 0},
		{"", "8", "0", "0", "", 0},
		{"", "", "", "", "", 0},
		{"many", "0", "", "", "1", 0},
		{"-3", "", "", "", "1", 0},
	} {
		s := task("SLURM_CPUS_PER_TASK", c.perTask, "SLURM_CPUS_ON_NODE", c.onNode, "SLURM_STEP_TASKS_PER_NODE", c.step,
			"SLURM_NODEID", c.node, "SLURM_TASKS_PER_NODE", c.tasks)
		if got := s.workers(); got != c.want {
			t.Errorf("%+v: %d cores", c, got)
		}
	}
}
