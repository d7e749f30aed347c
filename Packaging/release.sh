# What every kind of package needs to know, for scripts that run in the project's folder: the version, and the time that all
# files have.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
export SOURCE_DATE_EPOCH
# What is not released yet sorts before its release.
version=$(sed -n 's/^## //p' CHANGELOG.md | head -n 1)
case $version in
*unreleased*) version=${version%% *}~$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M) ;;
*) version=${version%% *} ;;
esac
