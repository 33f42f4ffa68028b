package hosting

// zoneVariable holds the zone of a pod's machine. No pod knows that by itself: whoever writes its
// manifest has the label topology.kubernetes.io/zone put there.
const zoneVariable = "POD_ZONE"

// podOf is the pod of Kubernetes that this process is in, in words; "": none. It is told to leave
// by SIGTERM, so nobody is asked for the end. Its quota of cores is what Go's runtime goes by.
func podOf(env func(string) string) string {
	if env("KUBERNETES_SERVICE_HOST") == "" {
		return ""
	}
	is := "a pod of Kubernetes"
	if zone := env(zoneVariable); zone != "" {
		is += " in " + zone
	}
	return is
}
