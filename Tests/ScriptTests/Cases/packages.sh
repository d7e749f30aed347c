# Installation and packages. Small programs replace the real ones, which are not built again here; `make release-files` in CI packages those.
export LC_ALL=C
mkdir built
for name in authctl authctl-emulator; do
    echo 'int main(void) { return 0; }' | gcc -x c -g -o "built/$name" - -Wl,--no-as-needed -lcrypto
done
# from_clone TARGET…: runs make in the clone with these programs, without the variables of an outer make.
from_clone() { env -u MAKEFLAGS -u MAKELEVEL make -s -C "$ROOT" "RELEASE_BIN=$PWD/built" "DESTDIR=$PWD/tree" "$@"; }
export REPOSITORY=https://git.example.com/team/authctl
package() { MAKE=make DEB_FLAGS=-Znone works "$ROOT/Packaging/deb" "$1" "$PWD/built" "$PWD/$2"; }

# releases: serves a release of this version, as GitHub's releases page does, for the action of Packaging/setup-authctl.
releases() {
    version=$(sed -nE 's/^## ([0-9.]+).*/\1/p' "$ROOT/CHANGELOG.md" | head -n 1)
    files=$PWD/site/download/v$version
    works "$ROOT/Packaging/tarball" "$PWD/built" "$files"
    ssh-keygen -q -t ed25519 -N '' -f key
    mkdir -p repository/Packaging
    cp "$ROOT/CHANGELOG.md" repository
    cp "$ROOT/Packaging/verify-release" "$ROOT/Packaging/install.sh" repository/Packaging
    echo "authctl namespaces=\"authctl-release\" $(cat key.pub)" >repository/Packaging/release-signers
    signed
    (cd site && exec python3 -u -m http.server --bind 127.0.0.1 0 >../serving 2>/dev/null) &
    servers+=($!)
    RELEASES=http://127.0.0.1:$(awaits serving 'port [0-9]+' | grep -oE '[0-9]+$')
    VERSION=$version CHECKOUT=$PWD/repository RUNNER_TEMP=$PWD/runner GITHUB_PATH=$PWD/github-path
    export RELEASES VERSION CHECKOUT RUNNER_TEMP GITHUB_PATH
    mkdir "$RUNNER_TEMP"
    : >"$GITHUB_PATH"
}
# signed [KEY NAMESPACE]: lists the checksums of the release's files, and signs the list.
signed() {
    (cd "$files" && sha256sum *.tar.gz >../sums && mv ../sums SHA256SUMS)
    ssh-keygen -q -Y sign -f "${1:-key}" -n "${2:-authctl-release}" - <"$files/SHA256SUMS" >"$files/SHA256SUMS.sig"
}
# setup_step: runs the action's step as a runner does.
setup_step() {
    /usr/bin/python3 "$ROOT/Tests/Servers/workflow.py" "$ROOT/Packaging/setup-authctl/action.yml" >step
    bash --noprofile --norc -eo pipefail step
}
setup() { works setup_step; }

#: Installs each file at its path, and uninstalls exactly those files.
works from_clone install PREFIX=/usr
(cd tree && find . -type f | sort) >installed
# The pages of the tool: its own, and one of each command.
pages=$(cd "$ROOT/man" && printf '%s\n' *.1 | grep -vx authctl-emulator.1)
[ "$(echo "$pages" | wc -l)" -gt 15 ] || fail "not each command has a page"
sort <<F | diff installed -
./usr/bin/authctl
./usr/bin/authctl-emulator
./usr/share/bash-completion/completions/authctl
./usr/share/bash-completion/completions/authctl-emulator
./usr/share/fish/vendor_completions.d/authctl-emulator.fish
./usr/share/fish/vendor_completions.d/authctl.fish
./usr/share/man/man1/authctl-emulator.1
$(sed 's|^|./usr/share/man/man1/|' <<<"$pages")
./usr/share/zsh/site-functions/_authctl
./usr/share/zsh/site-functions/_authctl-emulator
F
[ "$(stat -c %a tree/usr/bin/authctl tree/usr/share/man/man1/authctl.1 | xargs)" = "755 644" ] || fail "the modes are not those of installed files"
! readelf -S tree/usr/bin/authctl | grep -q debug_info || fail "symbols are installed"
echo mine >tree/usr/bin/mine
works from_clone uninstall PREFIX=/usr
[ "$(find tree ! -type d)" = tree/usr/bin/mine ] || fail "not what was there before is left: $(find tree ! -type d)"

#: Installing and packaging fail without built programs, and do not run swift or apt.
rm built/*
for target in install deb; do
    exits 2 from_clone $target
    err "'make release' first, not as root"
done
[ ! -e tree ] || fail "something is installed"
for target in install uninstall; do
    works from_clone -n $target
    no_out 'swift|apt|\.ci/'
done

#: The tool and the emulator are two packages with the files and metadata that Debian requires.
version=$(cd "$ROOT" && . Packaging/release.sh && echo "$version")
for name in authctl authctl-emulator; do
    package $name out
    works dpkg-deb -I "out/${name}_${version}_$(dpkg --print-architecture).deb"
    out "^ Package: $name\$"
    out '^ Version: [0-9][0-9.]*(~[0-9]+)?-0authctl1$'
    out '^ Maintainer: .+ <.+@.+>$'
    out '^ Installed-Size: [1-9][0-9]*$'
    out "^ Homepage: $REPOSITORY$"
    out '^ Depends: .*libc6 \(>= '
    out '^ Depends: .*libssl3'
    # It is loaded at run time, so the program's header does not list it.
    out '^ Depends: .*libcurl4'
    mkdir $name
    works dpkg-deb -x out/${name}_*.deb $name
    (cd $name && find . -type f | sort) >packaged
    pages=$name.1
    [ $name = authctl-emulator ] || pages=$(cd "$ROOT/man" && printf '%s\n' *.1 | grep -vx authctl-emulator.1)
    sort <<F | diff packaged -
./usr/bin/$name
./usr/share/bash-completion/completions/$name
./usr/share/doc/$name/changelog.Debian.gz
./usr/share/doc/$name/changelog.gz
./usr/share/doc/$name/copyright
./usr/share/fish/vendor_completions.d/$name.fish
$(sed 's|.*|./usr/share/man/man1/&.gz|' <<<"$pages")
./usr/share/zsh/vendor-completions/_$name
F
    dpkg-deb -e out/${name}_*.deb control-$name
    (cd $name && md5sum --quiet -c "../control-$name/md5sums")
    [ "$(wc -l <control-$name/md5sums)" = "$(wc -l <packaged)" ] || fail "md5sums lacks a file"
    for page in $pages; do zcat "$name/usr/share/man/man1/$page.gz" | cmp - "$ROOT/man/$page"; done
    zcat $name/usr/share/doc/$name/changelog.gz | cmp - "$ROOT/CHANGELOG.md"
    zcat $name/usr/share/doc/$name/changelog.Debian.gz >changelog
    works dpkg-parsechangelog -l changelog -S Version
    grep -qxF " Version: $(cat stdout)" <(dpkg-deb -I out/${name}_*.deb) || fail "the changelog has another version"
    works dpkg-deb -c out/${name}_*.deb
    no_out '^.[rwx-]{4}w|^.{7}w'
    ! grep -v ' root/root ' stdout || fail "not all is root's"
done

#: Release files have the names that the documentation uses, and the archive's README names the releases page.
export RELEASED=yes
package authctl out
works "$ROOT/Packaging/tarball" "$PWD/built" "$PWD/out"
version=$(sed -nE 's/^## ([0-9.]+).*/\1/p' "$ROOT/CHANGELOG.md" | head -n 1)
[ "$(cd out && echo *)" = "authctl-$version-linux-$(uname -m).tar.gz authctl_${version}_$(dpkg --print-architecture).deb" ] ||
    fail "the files are called: $(ls out)"
tar -xzOf out/authctl-*.tar.gz --wildcards '*/README.md' >readme
grep -qF "\`$REPOSITORY/releases/latest\`" readme || fail "the archive's README does not say where releases are"

#: The same commit produces identical packages with any umask and clock.
package authctl first
umask 077
next_second
TZ=Asia/Tokyo LC_ALL=C.UTF-8 package authctl second
cmp first/*.deb second/*.deb

#: The action for GitHub installs a release of this version, after its signature and checksum were verified.
export RELEASED=yes
releases
setup
grep -qxF "authctl-$version-linux-$(uname -m).tar.gz: OK" stdout || fail "the checksum was not verified"
bin=$(cat "$GITHUB_PATH")
[ "${bin#"$RUNNER_TEMP"/}" != "$bin" ] && "$bin/authctl" || fail "$bin has no authctl that runs"
# Without a version, the release of the action itself is installed.
: >"$GITHUB_PATH"
VERSION='' setup
"$(cat "$GITHUB_PATH")/authctl" || fail "the default version"

#: The commands in docs/install.md verify a release, and they, install.sh and the action for GitHub refuse each manipulated one.
export RELEASED=yes
releases
archive=$(basename "$files"/*.tar.gz)
cp -a "$files" original
sed -n 's/^\$ \(ssh-keygen\|sha256sum\)/\1/p' "$ROOT/docs/install.md" >commands
[ "$(wc -l <commands)" = 2 ] || fail "docs/install.md does not have these commands"
cp repository/Packaging/release-signers site
commands() { (cd "$files" && cp ../../release-signers . && bash -e "$OLDPWD/commands" && rm release-signers); }
works commands
out '^Good "authctl-release" signature for authctl with ED25519 key SHA256:'
out "^$archive: OK\$"
works repository/Packaging/install.sh --prefix "$PWD/home" "$files/$archive"
home/bin/authctl || fail "install.sh installed no authctl"
rm -r home
# refused REASON: each of the three refuses the release as it is now, before it unpacks anything. Then restores the release.
refused() {
    exits 1 setup_step
    out "^::error title=setup-authctl::.*$1"
    [ ! -s "$GITHUB_PATH" ] || fail "the PATH was changed"
    [ -z "$(find "$RUNNER_TEMP" -name install.sh)" ] || fail "the archive was unpacked"
    exits 1 repository/Packaging/install.sh --prefix "$PWD/home" "$files/$archive"
    [ ! -e home ] || fail "install.sh installed it"
    ! commands >/dev/null 2>&1 || fail "the commands of the page accept it"
    rm -r "$files"
    cp -a original "$files"
}
echo >>"$files/$archive"
refused "the checksum of $archive differs from SHA256SUMS"
echo >>"$files/$archive"
(cd "$files" && sha256sum *.tar.gz >../sums && mv ../sums SHA256SUMS)
refused 'SHA256SUMS is not signed by a key in .*/repository/Packaging/release-signers'
ssh-keygen -q -t ed25519 -N '' -f other
signed other
refused 'SHA256SUMS is not signed by a key in'
signed key git
refused 'SHA256SUMS is not signed by a key in'
: >"$files/SHA256SUMS"
refused 'SHA256SUMS is not signed by a key in'
rm "$files/SHA256SUMS.sig"
refused "no release $version for this runner .SHA256SUMS.sig"
# The signed list of another release.
mv "$files/$archive" "$files/authctl-0.0.1-linux-$(uname -m).tar.gz"
signed
mv "$files/authctl-0.0.1-linux-$(uname -m).tar.gz" "$files/$archive"
refused "SHA256SUMS does not list $archive"
# The repository has no key.
sed -i 's/^/# /' repository/Packaging/release-signers
exits 1 setup_step
out '^::error title=setup-authctl::.*release-signers has no key'
exits 1 repository/Packaging/install.sh --prefix "$PWD/home" "$files/$archive"
for VERSION in 0.0.1 ../x latest; do
    exits 1 setup_step
    out "^::error title=setup-authctl::.*$VERSION"
done

#: The check of the release rejects a program that needs a newer C library, also for its relocations.
cat >program.c <<'C'
#include <pthread.h>
const char *const words[] = {"a", "b"};
int main(int count, char **arguments) { return pthread_detach(pthread_self()) + words[count > 1][0] + (arguments == 0); }
C
gcc -o program program.c
works "$ROOT/Packaging/check-glibc" 2.34 program
exits 1 "$ROOT/Packaging/check-glibc" 2.33 program
err 'program needs more than GLIBC_2.33: 2.34$'
gcc -o packed program.c -Wl,-z,pack-relative-relocs
exits 1 "$ROOT/Packaging/check-glibc" 2.34 packed
err 'packed needs more than GLIBC_2.34: 2.36$'
works "$ROOT/Packaging/check-glibc" 2.36 packed

#: The copyright file names every package that is linked into the programs.
grep -oE 'url: "[^"]+"' "$ROOT/Package.swift" | sed 's|.*/||; s|"||' >named
# The program does not contain libraries of disabled package traits.
sed -nE 's/.*package: "([^"]+)", condition: .when\(traits.*/\1/p' "$ROOT/Package.swift" >by_trait
grep -vxFf by_trait named >linked
[ -s linked ] || fail "Package.swift names no package"
while read -r name; do
    grep -qE "^Files:.* $name/\*( |\$)" "$ROOT/Packaging/copyright" || fail "Packaging/copyright lacks $name"
done <linked
