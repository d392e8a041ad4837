#include <memory>
#include <string>
#include <utility>
#include <vector>
struct Job { std::string name; };
static std::vector<std::unique_ptr<Job>> queue;
int add(std::string name) {
  std::unique_ptr<Job> job(new Job);
  job->name = std::move(name);
  queue.push_back(std::move(job)); /* warn */
  return static_cast<int>(job->name.size());
}
