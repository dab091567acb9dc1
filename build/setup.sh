# Shared by start.sh and test.sh: system libraries, virtual environment, packages, index.

QT_LIBRARIES="libegl1 libgl1 libglib2.0-0 libfontconfig1 libfreetype6 libxkbcommon0 libdbus-1-3 \
fonts-dejavu-core libx11-xcb1 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 \
libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-sync1 libxcb-xfixes0 libxcb-xkb1 \
libxkbcommon-x11-0"

# Names of the installed packages and of what they provide (« libgl1 (= 1.7) »), one a line.
installed_names() {
  dpkg-query -W -f='${db:Status-Status}|${Package}, ${Provides}\n' 2>/dev/null |
    sed -n 's/^installed|//p' | tr ',' '\n' | sed -e 's/^ *//' -e 's/[ (:].*//'
}

missing_packages() {
  command -v dpkg-query >/dev/null 2>&1 || return 0
  installed="$(installed_names)"
  for package in $QT_LIBRARIES python3-venv; do
    # A Python from elsewhere brings its own venv module.
    if [ "$package" = python3-venv ] && "$PYTHON" -c 'import ensurepip, venv' 2>/dev/null; then
      continue
    fi
    # Some names gained a suffix (t64) in later releases.
    printf '%s\n' "$installed" | grep -xF -e "$package" -e "${package}t64" >/dev/null ||
      printf '%s ' "$package"
  done
}

# Never ends the script: the command line works without these libraries.
install_packages() {
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    if apt-get update -q &&
      DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"; then
      return 0
    fi
    echo "Bibliothèques système non installées (réseau absent, ou apt déjà utilisé ?)." >&2
    echo "La suite continue ; si la fenêtre ne s’ouvre pas, lancez plus tard :" >&2
    echo "  apt-get update && apt-get install --no-install-recommends $*" >&2
  else
    echo "Bibliothèques système manquantes. Commande à lancer une fois :" >&2
    echo "  sudo apt-get install --no-install-recommends $*" >&2
  fi
}

setup_environment() {
  PYTHON=""
  for candidate in python3.11 python3.12 python3.13 python3; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      PYTHON="$candidate"
      break
    fi
  done
  if [ -z "$PYTHON" ]; then
    echo "Python 3.11 ou plus récent est nécessaire (paquet python3)." >&2
    exit 1
  fi
  packages="$(missing_packages)"
  # Unquoted on purpose: one argument a package.
  [ -z "$packages" ] || install_packages $packages
  [ -x .venv/bin/python ] || "$PYTHON" -m venv .venv
  stamp=".venv/.installed-$1"
  if ! cmp -s "$1" "$stamp" 2>/dev/null || ! cmp -s requirements.txt .venv/.installed-base; then
    if ! .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$1"; then
      echo "Les paquets Python de $1 n’ont pas pu être installés : vérifiez le réseau et la" >&2
      echo "place libre, puis relancez la même commande." >&2
      exit 1
    fi
    cp "$1" "$stamp"
    cp requirements.txt .venv/.installed-base
  fi
}
