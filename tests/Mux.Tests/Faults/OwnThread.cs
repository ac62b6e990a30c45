using Mux.TestSupport.Connections;

namespace Mux.Tests.Faults;

/// <summary>Where tests run that pump: away from the test framework's synchronization context, and from the pool, which has to be idle when nothing happens.</summary>
internal static class OwnThread
{
    public static Task Run(Action test) => Task.Factory.StartNew(test, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    /// <summary>Once for each of so many seeds.</summary>
    public static Task ForEachSeed(int seeds, Action<int> test) => Run(() => Seeds.ForEach(seeds, test));
}
