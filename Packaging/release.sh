# What every kind of package needs to know, for scripts that run in the project's folder: the version, and the time that all
# files have.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
export SOURCE_DATE_EPOCH
# The address of the repository, such as https://HOST/OWNER/authctl; the release sets it.
repository=${REPOSITORY:-}
# What is not released yet sorts before its release. RELEASED=yes names a build as its release will be.
version=$(sed -n 's/^## //p' CHANGELOG.md | head -n 1)
unreleased=
case $version in
*unreleased*) [ "${RELEASED:-no}" = yes ] || unreleased=~$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M) ;;
esac
version=${version%% *}$unreleased
