#include <memory>
#include <string>
#include <utility>
#include <vector>
struct Job { std::string name; };
static std::vector<std::unique_ptr<Job>> queue;
int add(std::string name) {
  std::unique_ptr<Job> job(new Job);
  job->name = std::move(name);
  const int length = static_cast<int>(job->name.size());
  queue.push_back(std::move(job));
  job.reset(new Job);
  job->name = "next";
  return length;
}
