#!/usr/bin/env bash
# A RabbitMQ 4 cluster as the broker of tables and pits; certificates are its users. controller/floor/pit/PIT.md has the recipe.
#
#   rabbitmq.sh node HOST HOST HOST ...      as root, on each node: writes rabbitmq.conf and enabled_plugins
#   rabbitmq.sh users TABLE ... -- PIT ...   on one node: a user for each certificate, with its permissions
#
# RABBITMQ_ETC: folder of the settings, /etc/rabbitmq by default. RABBITMQCTL: the command rabbitmqctl.
set -euo pipefail

etc=${RABBITMQ_ETC:-/etc/rabbitmq}
read -r -a ctl <<< "${RABBITMQCTL:-rabbitmqctl}"

fail() {
  echo "rabbitmq.sh: $1" >&2
  exit 2
}

# The nodes agree by majority: of three one may die, of five two. The smaller part of a cut network pauses.
node() {
  (( $# >= 3 && $# % 2 )) || fail "node: allowed: the names of three, five or seven hosts"
  local host number=0 peers=
  for host; do
    [[ $host =~ ^[A-Za-z0-9.@-]+$ ]] || fail "node: $host is no name of a host"
    [[ $host == *@* ]] || host=rabbit@$host
    number=$((number + 1))
    peers+="cluster_formation.classic_config.nodes.$number = $host"$'\n'
  done
  cat > "$etc/rabbitmq.conf" <<EOF
cluster_formation.peer_discovery_backend = classic_config
${peers}cluster_partition_handling = pause_minority
listeners.tcp = none
mqtt.listeners.tcp = none
mqtt.listeners.ssl.1 = 8883
mqtt.allow_anonymous = false
mqtt.durable_queue_type = quorum
mqtt.prefetch = 100
mqtt.max_packet_size_authenticated = 266240
mqtt.ssl_cert_login = true
ssl_cert_login_from = common_name
ssl_options.cacertfile = $etc/ca.pem
ssl_options.certfile = $etc/broker.pem
ssl_options.keyfile = $etc/broker.key
ssl_options.verify = verify_peer
ssl_options.fail_if_no_peer_cert = true
EOF
  echo "[rabbitmq_mqtt,rabbitmq_auth_mechanism_ssl,rabbitmq_prometheus]." > "$etc/enabled_plugins"
}

# user NAME WRITE READ: the patterns are of topics under crisscross.1, with dots as RabbitMQ writes them.
user() {
  local own="^(mqtt-subscription-(crisscross-pit-)?$1-[0-9a-f]+qos[01]|amq\\.topic)\$"
  "${ctl[@]}" add_user "$1" "$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')" 2> /dev/null ||
    "${ctl[@]}" list_users --silent | grep -q "^$1[[:space:]]" || fail "users: $1 was not added"
  "${ctl[@]}" clear_password "$1"
  "${ctl[@]}" set_permissions "$1" "$own" "$own" "$own"
  "${ctl[@]}" set_topic_permissions "$1" amq.topic "^crisscross\\.1\\.$2\$" "^crisscross\\.1\\.$3\$"
}

users() {
  local name kind=table
  for name; do
    [[ $name == -- || $name =~ ^([A-Za-z0-9_-]{1,64}\.)?[A-Za-z0-9_-]{1,64}$ ]] ||
      fail "users: $name: allowed: letters, digits, - and _, for a table of a site SITE.TABLE"
  done
  for name; do
    if [[ $name == -- ]]; then
      kind=pit
    elif [[ $kind == table ]]; then
      user "$name" "${name/./\\.}\\.(events|state|felt|chips|on_the_way\\..*)" \
        "${name/./\\.}\\.(state|have\\..*|on_my_way\\..*)"
    else
      user "$name" "[^.]*(\\.[^.]*)?\\.(have|on_my_way)\\.$name" \
        "[^.]*(\\.[^.]*)?\\.(events|state|felt|chips|have\\.[^.]*|on_the_way\\.$name)"
    fi
  done
}

case ${1:-} in
  node | users) "$@" ;;
  *) fail "allowed: node HOST HOST HOST, or users TABLE ... -- PIT ..." ;;
esac
