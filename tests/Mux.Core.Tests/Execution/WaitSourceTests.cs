using System.Threading.Tasks.Sources;
using Mux.Runtime;

namespace Mux.Core.Tests.Execution;

/// <summary>Where the code behind a wait runs.</summary>
public sealed class WaitSourceTests
{
    private readonly List<int> _threads = [];
    private WaitSource _sut;

    public WaitSourceTests() => _sut.Begin();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Code_that_was_attached_runs_where_the_wait_ends(bool result)
    {
        Assert.Equal(ValueTaskSourceStatus.Pending, _sut.GetStatus(_sut.Version));
        Assert.True(Attach());
        Assert.Empty(_threads);

        _sut.End(result);

        Assert.Equal([Environment.CurrentManagedThreadId], _threads);
        Assert.Equal(result, _sut.GetResult(_sut.Version));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Code_that_is_attached_after_the_end_is_left_to_the_owner(bool result)
    {
        _sut.End(result);

        Assert.False(Attach());
        Assert.Empty(_threads);
        _sut.End(result); // the owner's thread

        Assert.Equal([Environment.CurrentManagedThreadId], _threads);
        Assert.Equal(result, _sut.GetResult(_sut.Version));
    }

    [Fact]
    public void A_wait_that_ends_while_nobody_has_attached_code_tells_so()
    {
        _sut.End(true);

        Assert.Equal(ValueTaskSourceStatus.Succeeded, _sut.GetStatus(_sut.Version));
        Assert.True(_sut.GetResult(_sut.Version));
    }

    [Fact]
    public void The_next_wait_knows_nothing_of_the_last_one()
    {
        short before = _sut.Version;
        _sut.End(true);
        Assert.True(_sut.GetResult(before));

        _sut.Begin();

        Assert.NotEqual(before, _sut.Version);
        Assert.Equal(ValueTaskSourceStatus.Pending, _sut.GetStatus(_sut.Version));
        Assert.Throws<InvalidOperationException>(() => _sut.GetStatus(before));
        Assert.True(Attach());
        _sut.End(false);
        Assert.False(_sut.GetResult(_sut.Version));
        Assert.Single(_threads);
    }

    [Fact]
    public void The_code_runs_once_however_end_and_attaching_meet()
    {
        const int Waits = 20_000;
        int runs = 0; // on one of the two threads, of which one waits for the other: a run of the thread pool would come too late to be counted
        var token = TestContext.Current.CancellationToken;
        using var begun = new Barrier(2);
        var ender = new Thread(() =>
        {
            for (int i = 0; i < Waits; i++)
            {
                begun.SignalAndWait(token);
                Thread.SpinWait(i % 40);
                _sut.End(true);
                begun.SignalAndWait(token);
            }
        });
        ender.Start();
        for (int i = 0; i < Waits; i++)
        {
            begun.SignalAndWait(token);
            bool isAttached = _sut.TryAttach(_ => runs++, null, _sut.Version, ValueTaskSourceOnCompletedFlags.None);
            begun.SignalAndWait(token);
            if (!isAttached) _sut.End(true);
            Assert.Equal(i + 1, runs);
            Assert.True(_sut.GetResult(_sut.Version));
            _sut.Begin();
        }

        ender.Join();
    }

    private bool Attach() => _sut.TryAttach(_ => _threads.Add(Environment.CurrentManagedThreadId), null, _sut.Version, ValueTaskSourceOnCompletedFlags.None);
}
