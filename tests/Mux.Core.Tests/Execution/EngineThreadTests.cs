using Mux.Runtime;
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

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void An_interrupt_that_strikes_at_a_lock_is_kept_for_a_user_whose_thread_it_is(bool isOfEngine)
    {
        var gate = new Lock();
        using var struck = new ManualResetEventSlim();
        using var ended = new ManualResetEventSlim();
        Thread? thread = null;
        bool isInterruptedAfter = false;
        AppDomain.CurrentDomain.FirstChanceException += OnException;
        try
        {
            lock (gate)
            {
                if (isOfEngine) Assert.True(EngineThread.TryStart(Run, "Mux test"), "The system has no more threads.");
                else new Thread(Run) { IsBackground = true }.Start();
                Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref thread) is not null, TimeSpan.FromSeconds(30)), "The thread did not start in 30 s.");
                thread!.Interrupt();
                Assert.True(struck.Wait(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken), "The interrupt did not strike at the lock in 30 s.");
            }

            Assert.True(ended.Wait(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken), "The thread did not end in 30 s.");
        }
        finally
        {
            AppDomain.CurrentDomain.FirstChanceException -= OnException;
        }

        Assert.Equal(!isOfEngine, isInterruptedAfter);

        void Run()
        {
            Volatile.Write(ref thread, Thread.CurrentThread);
            EngineThread.Enter(gate).Dispose();
            using var never = new ManualResetEvent(false);
            try
            {
                never.WaitOne(TimeSpan.FromMilliseconds(1)); // a wait of the user
            }
            catch (ThreadInterruptedException)
            {
                isInterruptedAfter = true;
            }

            ended.Set();
        }

        void OnException(object? sender, System.Runtime.ExceptionServices.FirstChanceExceptionEventArgs args)
        {
            if (args.Exception is ThreadInterruptedException && Thread.CurrentThread == thread) struck.Set();
        }
    }

    private sealed class Silent : IWorkOwner
    {
        public void OnStalled(WorkStall stall)
        {
        }
    }
}
