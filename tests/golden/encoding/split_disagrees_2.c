/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
struct second_user { struct chain *chain; struct port *port; struct user *user; struct hidden *hidden; } second_user;

int use_second(struct second_user *user, struct hidden *hidden, struct port *port)
{
	return user->hidden == hidden && user->port == port;
}
