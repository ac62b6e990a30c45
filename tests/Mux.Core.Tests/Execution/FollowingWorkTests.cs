using Mux.Runtime;

namespace Mux.Core.Tests.Execution;

/// <summary>The work item of a link, which the thread that has started it runs itself.</summary>
public sealed class FollowingWorkTests
{
    [Fact]
    public void An_item_runs_when_the_code_that_added_it_has_ended()
    {
        var sut = new Item();
        FollowingWork.RunAfter(sut, static item => item.IsAdded = FollowingWork.TryAdd(item) && item.Runs == 0, sut);
        Assert.Equal((true, 1), (sut.IsAdded, sut.Runs));
    }

    [Fact]
    public void An_item_that_is_begun_meanwhile_for_something_else_is_left_to_a_queue()
    {
        var outer = new Item();
        var inner = new Item();
        FollowingWork.RunAfter(outer, static item => item.IsAdded = FollowingWork.TryAdd(item), inner);
        Assert.Equal((false, 0, 0), (inner.IsAdded, inner.Runs, outer.Runs));
    }

    [Fact]
    public void An_item_runs_also_if_the_code_throws_after_it_has_added_it()
    {
        var sut = new Item();
        Assert.Throws<InvalidOperationException>(() => FollowingWork.RunAfter(sut, Fail, sut));
        Assert.Equal((true, 1), (sut.IsAdded, sut.Runs));

        static void Fail(Item item)
        {
            item.IsAdded = FollowingWork.TryAdd(item);
            throw new InvalidOperationException();
        }
    }

    [Fact]
    public void A_thread_that_starts_nothing_runs_none()
    {
        var sut = new Item();
        Assert.False(FollowingWork.TryAdd(sut));
        FollowingWork.RunAfter(sut, static _ => { }, sut);
        Assert.False(FollowingWork.TryAdd(sut));
        Assert.Equal(0, sut.Runs);
    }

    private sealed class Item : IThreadPoolWorkItem
    {
        public bool IsAdded { get; set; }

        public int Runs { get; private set; }

        public void Execute() => Runs++;
    }
}
