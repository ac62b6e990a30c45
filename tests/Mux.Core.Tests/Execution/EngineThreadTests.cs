using Mux.Execution;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Execution;

public sealed class EngineThreadTests
{
    [Fact]
    public void Only_a_lack_of_files_keeps_a_thread_from_starting()
    {
        Assert.True(EngineThread.AreFilesLeft("/dev/null"));
        Assert.True(EngineThread.AreFilesLeft("/dev/there-is-no-such-device")); // in a container without devices
        Assert.True(EngineThread.AreFilesLeft("/dev")); // a directory cannot be opened: access is denied
    }

    [Fact]
    public async Task A_worker_that_its_item_leaves_interrupted_goes_on_with_others()
    {
        var sut = new Workers(WorkerKind.Handlers, maxThreads: 32);
        var ran = new Counter("items that ran");
        for (int i = 0; i < 10_000; i++)
        {
            sut.Add(new Work(() =>
            {
                ran.Add();
                Thread.CurrentThread.Interrupt();
            })
            {
                Owner = new Silent(),
            });
        }

        await ran.ReachAsync(10_000);
        await Eventually.Holds(() => sut.Busy == 0, "the threads to rest");
        sut.Add(new Work(() => ran.Add()) { Owner = new Silent() });
        await ran.ReachAsync(10_001);
    }

    private sealed class Silent : IWorkOwner
    {
        public void OnStalled(WorkStall stall)
        {
        }
    }
}
