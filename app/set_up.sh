# Sourced by app/run.sh, tests/run.sh and .ci/run: the Debian packages that Ringscope needs, and how to get them.

# What the program is built from and shows itself with.
build_packages=(g++ cmake ninja-build pkg-config
  libfmt-dev libtomlplusplus-dev libflatbuffers-dev flatbuffers-compiler libxxhash-dev libcli11-dev
  nlohmann-json3-dev libfreetype-dev libfontconfig-dev libpng-dev libcairo2-dev libharfbuzz-dev
  libimgui-dev libglfw3-dev libepoxy-dev libgl-dev libglm-dev libgl1-mesa-dri fonts-noto-cjk)
# What the tests need besides.
test_packages=(catch2 libstb-dev xvfb xauth locales)

# Installs those of the packages that are missing. With nothing missing it takes a few milliseconds.
install_packages() {
  local package missing=() as_root=()
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "These packages are missing: ${missing[*]}" >&2
      echo "Ask somebody who may to run: apt-get install ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "Installing ${#missing[@]} packages: ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >/dev/null
}

# Configures and builds into build/ (Release): build_project TARGET [CMAKE OPTION...]
build_project() {
  local target=$1
  shift
  mkdir -p build
  cmake -S . -B build -G Ninja -D CMAKE_BUILD_TYPE=Release "$@" >build/configure.log 2>&1 ||
    { cat build/configure.log >&2; return 1; }
  cmake --build build --target "$target"
}
