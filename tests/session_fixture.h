// A session of the window without a window.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <thread>

#include "app/window/commands.h"
#include "core/engine/record.h"
#include "tests/error_of.h"
#include "tests/folder.h"

namespace ringscope {

// A session on the record of a small ring, and a folder of its own.
struct SessionFixture {
  SessionFixture() : session(Language::named("en"), fonts) {
    RunSettings settings;
    settings.ranks = 4;
    show_trace(session, record(settings), "");
    session.last_folder = folder.string();
  }

  void run_to_rest() {
    while (busy(session)) {
      std::this_thread::yield();
      advance(session, 0.01);
    }
  }

  Folder own{"session"};
  std::filesystem::path folder = own.path;
  Fonts fonts;
  Session session;
};

// The id of the error that a command ends in; "" where it ends well.
inline std::string id_of_error(Session& session, std::string_view id, std::string_view argument) {
  return error_of([&] { run_command(session, id, argument); });
}

}  // namespace ringscope
