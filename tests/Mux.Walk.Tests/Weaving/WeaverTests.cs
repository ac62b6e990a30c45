using Mux.Walk.Tests.Samples;

namespace Mux.Walk.Tests.Weaving;

public sealed class WeaverTests
{
    [Fact]
    public void A_woven_class_counts_each_entry_of_its_methods()
    {
        using var folder = new TemporaryFolder();
        var weaver = new Weaver(folder.Path);
        weaver.Weave(typeof(Counted).Assembly.Location, type => type.Name == nameof(Counted));

        var entered = (int[])new WovenContext(folder.Path).Call(typeof(Counted), nameof(Counted.Run))!;

        var names = entered.Select(method => weaver.Methods[method].Name.Split('.')[^1]);
        Assert.Equal(["First", "Second", "Second", "Second", "get_Value", "get_Value"], names);
    }

    [Fact]
    public void A_woven_method_knows_its_file_even_if_the_compiler_wrote_it()
    {
        using var folder = new TemporaryFolder();
        var weaver = new Weaver(folder.Path);
        weaver.Weave(typeof(Counted).Assembly.Location, type => type.Name == nameof(Counted));

        Assert.All(weaver.Methods, method => Assert.Equal("tests/Mux.Walk.Tests/Samples/Counted.cs", method.File));
        Assert.Equal("tests/Mux.Walk.Tests/Samples", weaver.Methods[0].Room);
        Assert.True(weaver.Methods.Single(method => method.Name.EndsWith(".First", StringComparison.Ordinal)).Line > 0);
    }

    [Fact]
    public void A_probe_watches_its_thread_and_the_pool_and_drops_what_the_thread_entered()
    {
        Probe.Start(watchesPool: true);
        Probe.Enter(1);
        int position = Probe.Position;
        Probe.Enter(2);
        OnThePool(() => Probe.Enter(3));
        OnAThread(() => Probe.Enter(5));
        Probe.Drop(position);
        Probe.Enter(4);

        Assert.Equal([1, 3, 4], Probe.Stop());
    }

    private static void OnThePool(Action action)
    {
        using var ended = new ManualResetEventSlim();
        ThreadPool.QueueUserWorkItem(_ =>
        {
            action();
            ended.Set();
        });
        Assert.True(ended.Wait(TimeSpan.FromSeconds(30)), "Waited 30 s for the pool.");
    }

    private static void OnAThread(ThreadStart action)
    {
        var thread = new Thread(action);
        thread.Start();
        thread.Join();
    }
}
