// Open MPI's all-reduce of f32 sums, out of place: mpi_peer REPEATS BYTES... prints 'bytes seconds'
// (the median of the slowest rank's times) a line.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argument_count, char** arguments) {
  MPI_Init(&argument_count, &arguments);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int repeats = std::atoi(arguments[1]);
  for (int i = 2; i < argument_count; ++i) {
    const auto count = static_cast<std::size_t>(std::atoll(arguments[i])) / sizeof(float);
    const std::vector<float> input(count, static_cast<float>(rank));
    std::vector<float> output(count);
    std::vector<double> times;
    for (int repeat = 0; repeat <= repeats; ++repeat) {  // the first only warms up
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      MPI_Allreduce(input.data(), output.data(), static_cast<int>(count), MPI_FLOAT, MPI_SUM,
                    MPI_COMM_WORLD);
      const double mine = MPI_Wtime() - begin;
      double slowest = 0;
      MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      if (repeat > 0) times.push_back(slowest);
    }
    std::sort(times.begin(), times.end());
    if (rank == 0) std::printf("%s %.9f\n", arguments[i], times[(times.size() - 1) / 2]);
  }
  MPI_Finalize();
  return 0;
}
