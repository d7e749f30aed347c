#!/bin/sh
# Installs authctl from its archive, or removes it.
#   ./install.sh [--prefix DIRECTORY] [--uninstall] [ARCHIVE]
# The directory is /usr/local for root, and ~/.local for others. Downloads nothing. With ARCHIVE, installs another release, if the
# SHA256SUMS beside it has a signature by a key of this one (release-signers).
set -eu
umask 022
if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=${HOME:?}/.local; fi
remove=no
archive=
while [ $# -gt 0 ]; do
    case $1 in
    --prefix) [ $# -gt 1 ] || { echo "install.sh: --prefix needs a directory" >&2; exit 64; }; prefix=$2; shift ;;
    --prefix=*) prefix=${1#*=} ;;
    --uninstall) remove=yes ;;
    -h | --help) sed -n '2,5s/^# *//p' "$0"; exit 0 ;;
    -*) echo "install.sh: unknown option '$1' (--help)" >&2; exit 64 ;;
    *) archive=$1 ;;
    esac
    shift
done
case $prefix in /*) ;; *) echo "install.sh: '$prefix' is not an absolute path" >&2; exit 64 ;; esac
scripts=$(cd "$(dirname "$0")" && pwd)
if [ -n "$archive" ]; then
    # A copy of its own, so that the archive cannot change after it was verified.
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    cp "$archive" "$(dirname "$archive")/SHA256SUMS" "$(dirname "$archive")/SHA256SUMS.sig" "$copy"
    "$scripts/verify-release" "$copy/$(basename "$archive")"
    mkdir "$copy/unpacked"
    tar -xzf "$copy/$(basename "$archive")" -C "$copy/unpacked" --strip-components=1
    scripts=$copy/unpacked
fi
cd "$scripts"
[ -d files ] || { echo "install.sh: name the archive to install (--help)" >&2; exit 64; }

# trusted PATH: whether only root can replace the directories and links on the path, as far as it exists. In a sticky
# directory, only the owner of an entry can.
trusted() {
    place=$1
    while :; do
        if [ -e "$place" ] || [ -L "$place" ]; then
            if [ -n "$(find "$place" -prune \( ! -user 0 -o ! -type l -perm -0002 ! -perm -1000 \))" ]; then
                echo "install.sh: another user can replace '$place'; install as that user, or choose another --prefix" >&2
                return 1
            fi
        fi
        [ "$place" != / ] || return 0
        place=$(dirname "$place")
    done
}
if [ "$(id -u)" = 0 ]; then
    (cd files && find . -type d) | while read -r directory; do
        directory=${prefix%/}${directory#.}
        trusted "$directory" || exit 77
        [ ! -d "$directory" ] || trusted "$(cd -P "$directory" && pwd -P)" || exit 77
    done || exit 77
fi

if [ $remove = yes ]; then
    (cd files && find . -type f) | while read -r file; do rm -f "$prefix/${file#./}"; done
    echo "authctl is out of $prefix; what it kept is in ~/.config/authctl"
    exit 0
fi

missing=$(ldd files/bin/authctl 2>/dev/null | sed -n 's/^[[:space:]]*\(.*\) => not found.*/\1/p' | tr '\n' ' ')
# libcurl is loaded when it is needed, so that no header of the program names it.
PATH=$PATH:/sbin:/usr/sbin
ldconfig -p 2>/dev/null | grep -q 'libcurl\.so\.4' || missing="$missing libcurl.so.4"
if [ -n "${missing# }" ]; then
    if command -v dnf >/dev/null; then line="dnf install openssl-libs libcurl"; else line="apt-get install libssl3 libcurl4"; fi
    echo "install.sh: these libraries are missing: ${missing# }; as root: $line" >&2
    exit 69
fi
files/bin/authctl --version >/dev/null || { echo "install.sh: the program does not run on this system" >&2; exit 69; }

(cd files && find . -type f) | while read -r file; do
    file=${file#./}
    mkdir -p "$prefix/${file%/*}"
    # A program that runs cannot be written over, but it can be replaced.
    rm -f "$prefix/$file.new"
    cp "files/$file" "$prefix/$file.new"
    mv -f "$prefix/$file.new" "$prefix/$file"
done
echo "authctl is in $prefix/bin"
case :$PATH: in *:"$prefix/bin":*) ;; *)
    echo "it is not in your PATH; in this shell, and in ~/.profile: export PATH=\"$prefix/bin:\$PATH\""
    ;;
esac
echo "begin with: authctl setup"
