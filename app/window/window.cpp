#include "app/window/window.h"

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <span>
#include <thread>

#include "app/window/frame.h"
#include "app/window/imgui_versions.h"
#include "app/window/preferences.h"
#include "app/window/screenshot.h"
#include "app/window/script.h"

namespace ringscope {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds frame_time{1.0 / 60};
// ImGui needs more than one frame until all it shows has followed an event.
constexpr int frames_to_settle = 3;

// GLFW, from its start to its end. Throws Error where there is no display.
struct GlfwLibrary {
  GlfwLibrary() {
    if (!glfwInit()) throw Error({"error.window.display", {}});
  }
  ~GlfwLibrary() { glfwTerminate(); }
  GlfwLibrary(const GlfwLibrary&) = delete;
  GlfwLibrary& operator=(const GlfwLibrary&) = delete;
};

struct CloseWindow {
  void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using GlfwWindow = std::unique_ptr<GLFWwindow, CloseWindow>;

GlfwWindow make_window(Size size) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  int x = 0, y = 0, width = 0, height = 0;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor())
    glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
  if (width > 0 && height > 0)
    size = {std::min<double>(size.width, width), std::min<double>(size.height, height)};
  GlfwWindow window(glfwCreateWindow(static_cast<int>(size.width), static_cast<int>(size.height),
                                     "Ringscope", nullptr, nullptr));
  if (!window) throw Error({"error.window.opengl", {}});
  glfwSetWindowSizeLimits(window.get(), 640, 480, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(window.get());
  glfwSwapInterval(1);
  return window;
}

// Dear ImGui with its two backends.
struct ImguiContext {
  explicit ImguiContext(GLFWwindow* window) {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().ConfigInputTextCursorBlink = false;  // a paused window sleeps
    ImGui_ImplGlfw_InitForOpenGL(window, true);         // after our callbacks: it calls them, too
    ImGui_ImplOpenGL3_Init("#version 330 core");
  }
  ~ImguiContext() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  ImguiContext(const ImguiContext&) = delete;
  ImguiContext& operator=(const ImguiContext&) = delete;
};

Size window_size(GLFWwindow* window) {
  int width = 0, height = 0;
  glfwGetWindowSize(window, &width, &height);
  return {static_cast<double>(std::max(width, 1)), static_cast<double>(std::max(height, 1))};
}

const Language& language_for(const WindowOptions& options, const Preferences& preferences) {
  if (options.language) return *options.language;
  return preferences.language.empty() ? Language::of_environment()
                                      : Language::named(preferences.language);
}

class App {
 public:
  App(const WindowOptions& options, Preferences preferences);
  ~App() { save_preferences(preferences_now(), preferences_path()); }

  void run();

 private:
  static App& of(GLFWwindow* window) {
    return *static_cast<App*>(glfwGetWindowUserPointer(window));
  }
  void install_callbacks();
  void on_key(int key, int action, int modifiers);
  void on_character(char32_t character);
  void on_drop(std::span<const char*> paths);

  void wait_for_events();
  void pass_time();
  void follow_presenter();
  void follow_size_request();
  void draw();
  void take_screenshot();
  Preferences preferences_now() const;

  Fonts fonts_;
  GlfwLibrary glfw_;
  GlfwWindow window_;
  ImguiContext imgui_;
  UiTools tools_;
  Session session_;
  Script script_;

  Clock::time_point then_ = Clock::now();   // till when time has passed for the session
  Clock::time_point frame_ = Clock::now();  // when the last frame began
  int frames_left_ = frames_to_settle;      // to draw before it may sleep
  int frames_of_request_ = 0;
  double font_pixels_ = 0;
  bool fullscreen_ = false;
  int x_ = 0, y_ = 0;  // where the window was before it filled the screen
  Size size_;          // how large it was then
  bool scripted_ = false;
  Preferences of_last_time_;
};

App::App(const WindowOptions& options, Preferences preferences)
    : window_(make_window(preferences.window)),
      imgui_((glfwSetWindowUserPointer(window_.get(), this), install_callbacks(), window_.get())),
      tools_(fonts_),
      session_(language_for(options, preferences), fonts_),
      size_(window_size(window_.get())) {
  session_.wake = [] { glfwPostEmptyEvent(); };
  session_.theme = &theme_named(options.theme.empty() ? preferences.theme : options.theme);
  session_.last_folder = preferences.last_folder;
  session_.playback.reduced_motion = preferences.reduced_motion;
  for (const View& view : views())
    if (view.name == preferences.view) session_.view = &view;
  of_last_time_ = preferences;
  // A script begins as it is written, whatever was filled in last.
  if (options.script_path.empty()) {
    take_remembered(session_.set_up, preferences.set_up);
    take_remembered(session_.export_form, preferences.export_form);
  }
  scripted_ = !options.script_path.empty();
  session_.set_up_shown = options.trace_paths.empty();
  open_files(session_, options.trace_paths);
  if (!options.script_path.empty())
    script_ = Script(load_script(options.script_path),
                     options.language ? *options.language : Language::of_environment());
}

void App::install_callbacks() {
  GLFWwindow* window = window_.get();
  glfwSetKeyCallback(window, [](GLFWwindow* self, int key, int, int action, int modifiers) {
    of(self).on_key(key, action, modifiers);
  });
  glfwSetCharCallback(window, [](GLFWwindow* self, unsigned int character) {
    of(self).on_character(static_cast<char32_t>(character));
  });
  glfwSetDropCallback(window, [](GLFWwindow* self, int count, const char** paths) {
    of(self).on_drop({paths, static_cast<std::size_t>(count)});
  });
  // All else that a person or the desktop does needs new frames, even in the midst of others.
  constexpr auto draw_anew = [](GLFWwindow* self, auto...) {
    of(self).frames_left_ = frames_to_settle;
  };
  glfwSetCursorPosCallback(window, draw_anew);
  glfwSetCursorEnterCallback(window, draw_anew);
  glfwSetMouseButtonCallback(window, draw_anew);
  glfwSetScrollCallback(window, draw_anew);
  glfwSetWindowFocusCallback(window, draw_anew);
  glfwSetWindowRefreshCallback(window, draw_anew);
  glfwSetFramebufferSizeCallback(window, draw_anew);
}

void App::on_key(int key, int action, int modifiers) {
  frames_left_ = frames_to_settle;
  if (action == GLFW_RELEASE || ImGui::GetIO().WantTextInput) return;
  if (modifiers & (GLFW_MOD_ALT | GLFW_MOD_SUPER)) return;
  const Command* command = command_of_key(key, modifiers & GLFW_MOD_CONTROL);
  if (!command) return;
  pass_time();
  tools_.pointing = false;
  try_command(session_, command->id);
}

void App::on_character(char32_t character) {
  frames_left_ = frames_to_settle;
  if (ImGui::GetIO().WantTextInput) return;
  const Command* command = command_of_character(character);
  if (!command) return;
  pass_time();
  tools_.pointing = false;
  try_command(session_, command->id);
}

// Several stand beside one another.
void App::on_drop(std::span<const char*> paths) {
  frames_left_ = frames_to_settle;
  pass_time();
  for (std::size_t i = 0; i < paths.size(); ++i)
    try_command(session_, i == 0 ? "open" : "compare-with", paths[i]);
}

// Sleeps while nothing changes; while something does, until the next frame is due.
void App::wait_for_events() {
  if (runs(session_.playback) || !script_.done() || busy(session_)) {
    std::this_thread::sleep_until(frame_ + std::chrono::duration_cast<Clock::duration>(frame_time));
    glfwPollEvents();
    frames_left_ = frames_to_settle;
  } else if (frames_left_ > 0) {
    glfwPollEvents();
    --frames_left_;
  } else {
    if (session_.toast)
      glfwWaitEventsTimeout(std::max(session_.toast->seconds_left, 0.01));
    else
      glfwWaitEvents();
    frames_left_ = frames_to_settle;
  }
}

void App::pass_time() {
  const Clock::time_point now = Clock::now();
  advance(session_, Seconds(now - then_).count());
  then_ = now;
}

void App::follow_presenter() {
  if (session_.presenting == fullscreen_) return;
  fullscreen_ = session_.presenting;
  GLFWwindow* window = window_.get();
  if (!fullscreen_) {
    glfwSetWindowMonitor(window, nullptr, x_, y_, static_cast<int>(size_.width),
                         static_cast<int>(size_.height), GLFW_DONT_CARE);
    return;
  }
  size_ = window_size(window);
  glfwGetWindowPos(window, &x_, &y_);
  // The monitor that holds the window's centre.
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  GLFWmonitor* chosen = glfwGetPrimaryMonitor();
  for (int i = 0; i < count; ++i) {
    int left = 0, top = 0;
    glfwGetMonitorPos(monitors[i], &left, &top);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
    const double x = x_ + size_.width / 2 - left, y = y_ + size_.height / 2 - top;
    if (mode && x >= 0 && y >= 0 && x < mode->width && y < mode->height) chosen = monitors[i];
  }
  const GLFWvidmode* mode = chosen ? glfwGetVideoMode(chosen) : nullptr;
  if (mode)
    glfwSetWindowMonitor(window, chosen, 0, 0, mode->width, mode->height, mode->refreshRate);
}

// Asks once, then waits some frames until the window has that size, or never will.
void App::follow_size_request() {
  if (!session_.requests.size) return;
  const Size wanted = *session_.requests.size;
  if (frames_of_request_ == 0)
    glfwSetWindowSize(window_.get(), static_cast<int>(wanted.width),
                      static_cast<int>(wanted.height));
  constexpr int frames_at_most = 60;
  if (window_size(window_.get()) == wanted || ++frames_of_request_ > frames_at_most) {
    session_.requests.size.reset();
    frames_of_request_ = 0;
  }
}

void App::draw() {
  GLFWwindow* window = window_.get();
  const Size size = window_size(window);
  int pixel_width = 0, pixel_height = 0;
  glfwGetFramebufferSize(window, &pixel_width, &pixel_height);
  if (pixel_width == 0 || pixel_height == 0) return;
  const double pixel_ratio = pixel_width / size.width;
  float content_scale = 1, ignored = 1;
  glfwGetWindowContentScale(window, &content_scale, &ignored);
  const Arrangement arrangement = session_.presenting         ? Arrangement::presenting
                                  : session_.compared.empty() ? Arrangement::stage_and_panel
                                                              : Arrangement::wide_stage;
  const Layout layout =
      layout_of(size, static_cast<double>(content_scale) / pixel_ratio, arrangement);
  if (const double pixels = std::round(size::small * layout.scale); pixels != font_pixels_) {
    bake_widget_font(fonts_, pixels);
    font_pixels_ = pixels;
  }
  apply_looks(*session_.theme, layout.scale);
  tools_.glyphs.begin_frame(pixel_ratio);
  tools_.flow.begin_frame(size, pixel_ratio);

  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  draw_frame(session_, tools_, layout, size);
  ImGui::Render();
  glViewport(0, 0, pixel_width, pixel_height);
  const Color ground = ground_of(session_);
  glClearColor(static_cast<float>(ground.r) / 255, static_cast<float>(ground.g) / 255,
               static_cast<float>(ground.b) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  if (tools_.glyphs.overflowed()) frames_left_ = frames_to_settle;
}

void App::take_screenshot() {
  if (!session_.requests.screenshot) return;
  if (++frames_of_request_ < frames_to_settle || tools_.glyphs.overflowed()) return;
  frames_of_request_ = 0;
  const std::string path = *std::exchange(session_.requests.screenshot, std::nullopt);
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_.get(), &width, &height);
  try {
    write_screenshot(width, height, path);
  } catch (const Error& error) {
    session_.failure = error.message();
  }
}

void App::run() {
  while (!glfwWindowShouldClose(window_.get()) && !session_.requests.quit) {
    wait_for_events();
    frame_ = Clock::now();
    pass_time();
    script_.go_on(session_);
    follow_presenter();
    follow_size_request();
    draw();
    take_screenshot();
    glfwSwapBuffers(window_.get());
  }
}

Preferences App::preferences_now() const {
  return {std::string(session_.theme->name),
          std::string(session_.language->code()),
          std::string(session_.view->name),
          session_.last_folder,
          fullscreen_ ? size_ : window_size(window_.get()),
          session_.playback.reduced_motion,
          scripted_ ? of_last_time_.set_up : remembered(session_.set_up),
          scripted_ ? of_last_time_.export_form : remembered(session_.export_form)};
}

}  // namespace

int open_window(const WindowOptions& options) {
  App app(options, load_preferences(preferences_path()));
  app.run();
  return 0;
}

}  // namespace ringscope
