package control

// note has the news written, after all events that are queued: of these many may be of the same
// kind.
func (l *Loop) note(d *diary) {
	if d.due = true; d.writing {
		return
	}
	d.writing = true
	l.post(func() { l.write(d) })
}

// write has what there is written.
func (l *Loop) write(d *diary) {
	d.due = false
	write := d.content()
	l.disk.Give(&l.goroutines, func() {
		if err := write(); err != nil {
			l.conf.log().Warn(d.lost, "error", err)
		}
		l.post(func() {
			if d.writing = false; d.due {
				l.note(d)
			}
		})
	})
}
